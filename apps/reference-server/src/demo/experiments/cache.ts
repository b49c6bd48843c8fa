import type { Experiment } from '../experiment.ts'

/** Conditional requests. */
export const cache: readonly Experiment[] = [
  {
    id: 'revalidate',
    title: 'Ask again',
    says: 'The second answer is 304 and has no body, until somebody changes the employee.',
    steps: [
      {
        path: '/employees/2',
        as: 'eve',
        keep: { tag: 'header etag' },
        expect: { status: 200, headers: { etag: '^"' } },
      },
      {
        ...{ says: 'nothing has changed', path: '/employees/2', as: 'eve' },
        ...{ headers: { 'If-None-Match': '{tag}' }, expect: { status: 304, body: '' } },
      },
      { method: 'PATCH', path: '/employees/2', as: 'ada', json: { city: 'Turin {run}' }, expect: { status: 200 } },
      {
        ...{ says: 'the new state, in full', path: '/employees/2', as: 'eve' },
        ...{ headers: { 'If-None-Match': '{tag}' }, expect: { status: 200, body: 'Turin {run}' } },
      },
    ],
  },
  {
    id: 'lost-update',
    title: 'Two people save',
    says: 'Both load the same state. The second to save is told that there is a newer one.',
    steps: [
      { path: '/employees/4', as: 'ada', keep: { tag: 'header etag' }, expect: { status: 200 } },
      {
        ...{ says: 'Ada saves', method: 'PATCH', path: '/employees/4', as: 'ada' },
        ...{ headers: { 'If-Match': '{tag}' }, json: { city: 'Graz {run}' }, expect: { status: 200 } },
      },
      {
        ...{ says: 'Bob is late', method: 'PATCH', path: '/employees/4', as: 'bob' },
        ...{ headers: { 'If-Match': '{tag}' }, json: { city: 'Linz' } },
        expect: { status: 412, body: 'PRECONDITION_FAILED' },
      },
      { path: '/employees/4', as: 'bob', expect: { status: 200, body: 'Graz {run}' } },
    ],
  },
  {
    id: 'classes',
    title: 'Who may keep what',
    says: 'Catalogues may be kept by everybody, employees by the client after asking, balances by nobody.',
    steps: [
      { path: '/products/1', expect: { status: 200, headers: { 'cache-control': '^public, max-age=\\d+' } } },
      { path: '/employees/1', as: 'eve', expect: { status: 200, headers: { 'cache-control': '^private' } } },
      { path: '/accounts?size=1', as: 'ada', expect: { status: 200, headers: { 'cache-control': '^no-store$' } } },
    ],
  },
]
