import type { Experiment, Step } from '../experiment.ts'

const key = { 'Idempotency-Key': '"play-{run}"' }
const json = { name: 'Retry {run}', department: 'Sales', salary: 4000 }

const count: Step = {
  ...{ says: 'how many there are', path: '/employees?name=Retry%20{run}', as: 'bob' },
  expect: { status: 200, body: '"totalElements":1\\b' },
}
const clear: Step = { says: 'clear up', method: 'DELETE', path: '/employees/{id}', as: 'bob', expect: { status: 204 } }

/** Retries. */
export const idempotency: readonly Experiment[] = [
  {
    id: 'retry',
    title: 'Send it again',
    says: 'The same key and the same request: the first answer comes again, and there is one employee. Another body with the same key is a mistake.',
    steps: [
      {
        ...{ method: 'POST', path: '/employees', as: 'bob', headers: key, json, keep: { id: 'json /id' } },
        expect: { status: 201, headers: { 'idempotent-replayed': null } },
      },
      {
        ...{ says: 'the same answer again', method: 'POST', path: '/employees', as: 'bob', headers: key, json },
        expect: { status: 201, headers: { 'idempotent-replayed': '^true$', location: '/{id}$' } },
      },
      {
        ...{ says: 'another body', method: 'POST', path: '/employees', as: 'bob', headers: key },
        ...{ json: { ...json, salary: 9000 }, expect: { status: 422 } },
      },
      count,
      clear,
    ],
  },
  {
    id: 'at-once',
    title: 'Five at once',
    says: 'Five requests race with one key. One creates the employee; the others get its answer, or are told that it is at work.',
    steps: [
      {
        ...{ method: 'POST', path: '/employees', as: 'bob', headers: key, json, times: 5 },
        ...{ keep: { id: 'json /id' }, expect: { status: [201, 409] } },
      },
      count,
      clear,
    ],
  },
  {
    id: 'required',
    title: 'Where money moves',
    says: 'Payments and transfers are not taken without a key.',
    steps: [
      {
        ...{ method: 'POST', path: '/payments', as: 'ada' },
        json: { orderId: 3, method: 'CARD', amount: { amount: '1.00', currency: 'EUR' } },
        expect: { status: 400, body: 'IDEMPOTENCY_KEY_MISSING' },
      },
    ],
  },
]
