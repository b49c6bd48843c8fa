import type { PlayExperiment } from '../experiment.ts'

/** Conditional requests. */
export const cache: readonly PlayExperiment[] = [
  {
    id: 'revalidate',
    steps: [
      {
        path: '/employees/2',
        as: 'eve',
        keep: { tag: 'header etag' },
        expect: { status: 200, headers: { etag: '^"' } },
      },
      {
        ...{ says: 'step.unchanged', path: '/employees/2', as: 'eve' },
        ...{ headers: { 'If-None-Match': '{tag}' }, expect: { status: 304, body: '' } },
      },
      { method: 'PATCH', path: '/employees/2', as: 'ada', json: { city: 'Turin {run}' }, expect: { status: 200 } },
      {
        ...{ says: 'step.newState', path: '/employees/2', as: 'eve' },
        ...{ headers: { 'If-None-Match': '{tag}' }, expect: { status: 200, body: 'Turin {run}' } },
      },
    ],
  },
  {
    id: 'lost-update',
    steps: [
      { path: '/employees/4', as: 'ada', keep: { tag: 'header etag' }, expect: { status: 200 } },
      {
        ...{ says: 'step.adaSaves', method: 'PATCH', path: '/employees/4', as: 'ada' },
        ...{ headers: { 'If-Match': '{tag}' }, json: { city: 'Graz {run}' }, expect: { status: 200 } },
      },
      {
        ...{ says: 'step.bobIsLate', method: 'PATCH', path: '/employees/4', as: 'bob' },
        ...{ headers: { 'If-Match': '{tag}' }, json: { city: 'Linz' } },
        expect: { status: 412, body: 'PRECONDITION_FAILED' },
      },
      { path: '/employees/4', as: 'bob', expect: { status: 200, body: 'Graz {run}' } },
    ],
  },
  {
    id: 'classes',
    steps: [
      { path: '/products/1', expect: { status: 200, headers: { 'cache-control': '^public, max-age=\\d+' } } },
      { path: '/employees/1', as: 'eve', expect: { status: 200, headers: { 'cache-control': '^private' } } },
      { path: '/accounts?size=1', as: 'ada', expect: { status: 200, headers: { 'cache-control': '^no-store$' } } },
    ],
  },
]
