import type { PlayExperiment, Step } from '../experiment.ts'
import { TTL_SECONDS } from '../retries.ts'

const key = { 'Idempotency-Key': '"play-{run}"' }
const json = { name: 'Retry {run}', department: 'Sales', salary: 4000 }

const count: Step = {
  says: 'step.count',
  path: '/employees?name=Retry%20{run}',
  as: 'bob',
  expect: { status: 200, body: '"totalElements":1\\b' },
}
const clear: Step = {
  says: 'step.clear',
  method: 'DELETE',
  path: '/employees/{id}',
  as: 'bob',
  expect: { status: 204 },
}

// Work that runs once for a key, with responses that are stored for a short time.
const work: Omit<Step, 'expect'> = { method: 'POST', path: '/play/idempotency/calls', json: { productId: 1 } }
const slow = { 'X-Demo-Fault': 'slow:1s' }
const once = (count: number): string => `^\\{"happened":${count}\\}$`

/** Retries. */
export const idempotency: readonly PlayExperiment[] = [
  {
    id: 'retry',
    shows: 'timeline',
    steps: [
      {
        method: 'POST',
        path: '/employees',
        as: 'bob',
        headers: key,
        json,
        keep: { id: 'json /id' },
        expect: { status: 201, headers: { 'idempotent-replayed': null } },
      },
      {
        says: 'step.replay',
        method: 'POST',
        path: '/employees',
        as: 'bob',
        headers: key,
        json,
        expect: { status: 201, headers: { 'idempotent-replayed': '^true$', location: '/{id}$' } },
      },
      {
        says: 'step.otherBody',
        method: 'POST',
        path: '/employees',
        as: 'bob',
        headers: key,
        json: { ...json, salary: 9000 },
        expect: { status: 422 },
      },
      count,
      clear,
    ],
  },
  {
    id: 'race',
    shows: 'timeline',
    steps: [
      {
        method: 'POST',
        path: '/employees',
        as: 'bob',
        headers: key,
        json,
        times: 5,
        keep: { id: 'json /id' },
        expect: { status: [201, 409] },
      },
      count,
      clear,
    ],
  },
  {
    id: 'in-flight',
    shows: 'timeline',
    steps: [
      {
        says: 'step.oneWorks',
        ...work,
        headers: { ...key, ...slow },
        times: 3,
        expect: { status: { 201: 1, 409: 2 }, body: `${once(1)}|IDEMPOTENCY_IN_PROGRESS` },
      },
      {
        says: 'step.replay',
        ...work,
        headers: key,
        expect: { status: 201, headers: { 'idempotent-replayed': '^true$' }, body: once(1) },
      },
      {
        says: 'step.waits',
        ...work,
        headers: { 'Idempotency-Key': '"wait-{run}"', ...slow, Prefer: 'wait=5' },
        times: 3,
        expect: { status: { 201: 3 }, body: once(1) },
      },
    ],
  },
  {
    id: 'expiry',
    shows: 'timeline',
    steps: [
      {
        ...work,
        headers: { 'Idempotency-Key': '"short-{run}"' },
        expect: { status: 201, headers: { 'idempotent-replayed': null }, body: once(1) },
      },
      {
        says: 'step.replay',
        ...work,
        headers: { 'Idempotency-Key': '"short-{run}"' },
        expect: { status: 201, headers: { 'idempotent-replayed': '^true$' }, body: once(1) },
      },
      {
        says: 'step.again',
        ...work,
        headers: { 'Idempotency-Key': '"short-{run}"' },
        waitSeconds: TTL_SECONDS + 1,
        expect: { status: 201, headers: { 'idempotent-replayed': null }, body: once(2) },
      },
    ],
  },
  {
    id: 'required',
    steps: [
      {
        method: 'POST',
        path: '/payments',
        as: 'ada',
        json: { orderId: 3, method: 'CARD', amount: { amount: '1.00', currency: 'EUR' } },
        expect: { status: 400, body: 'IDEMPOTENCY_KEY_MISSING' },
      },
    ],
  },
]
