import type { PlayExperiment, Step } from '../experiment.ts'

// Each run changes its own employee, so that the data stays as it was.
const hire: Step = {
  says: 'step.own',
  method: 'POST',
  path: '/employees',
  as: 'bob',
  keep: { id: 'json /id' },
  json: { name: 'Cache {run}', department: 'Sales', salary: 4000 },
  expect: { status: 201 },
}
const clear: Step = {
  says: 'step.clear',
  method: 'DELETE',
  path: '/employees/{id}',
  as: 'bob',
  expect: { status: 204 },
}

/** Conditional requests. */
export const cache: readonly PlayExperiment[] = [
  {
    id: 'revalidate',
    steps: [
      hire,
      {
        path: '/employees/{id}',
        as: 'eve',
        keep: { tag: 'header etag' },
        expect: { status: 200, headers: { etag: '^"' } },
      },
      {
        says: 'step.unchanged',
        path: '/employees/{id}',
        as: 'eve',
        headers: { 'If-None-Match': '{tag}' },
        expect: { status: 304, body: '' },
      },
      { method: 'PATCH', path: '/employees/{id}', as: 'ada', json: { city: 'Turin {run}' }, expect: { status: 200 } },
      {
        says: 'step.newState',
        path: '/employees/{id}',
        as: 'eve',
        headers: { 'If-None-Match': '{tag}' },
        expect: { status: 200, body: 'Turin {run}' },
      },
      clear,
    ],
  },
  {
    id: 'lost-update',
    steps: [
      hire,
      { path: '/employees/{id}', as: 'ada', keep: { tag: 'header etag' }, expect: { status: 200 } },
      {
        says: 'step.adaSaves',
        method: 'PATCH',
        path: '/employees/{id}',
        as: 'ada',
        headers: { 'If-Match': '{tag}' },
        json: { city: 'Graz {run}' },
        expect: { status: 200 },
      },
      {
        says: 'step.bobIsLate',
        method: 'PATCH',
        path: '/employees/{id}',
        as: 'bob',
        headers: { 'If-Match': '{tag}' },
        json: { city: 'Linz' },
        expect: { status: 412, body: 'PRECONDITION_FAILED' },
      },
      { path: '/employees/{id}', as: 'bob', expect: { status: 200, body: 'Graz {run}' } },
      clear,
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
