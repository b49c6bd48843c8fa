import type { PlayExperiment, Step } from '../experiment.ts'

const json = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }

function shape(type: string, body: string): Step {
  const expect = { status: 404, headers: { 'content-type': `^${type.replace('+', '\\+')}` }, body }
  return { path: '/employees/999999', as: 'ada', headers: { Accept: `${type}, */*;q=0.5` }, expect }
}

/** Errors, and the responses that clients get. */
export const faults: readonly PlayExperiment[] = [
  {
    id: 'shapes',
    shows: 'bodies',
    steps: [
      shape('application/json', '"code":"NOT_FOUND"'),
      shape('application/problem+json', '"type":'),
      shape('application/xml', '<Error'),
      shape('text/plain', 'NOT_FOUND'),
      shape('text/html', '<h1>'),
    ],
  },
  {
    id: 'unavailable',
    steps: [
      {
        path: '/employees/1',
        as: 'ada',
        headers: { 'X-Demo-Fault': '503' },
        expect: { status: 503, headers: { 'retry-after': '^\\d+$' } },
      },
    ],
  },
  {
    id: 'store-down',
    steps: [
      {
        path: '/employees/1',
        as: 'ada',
        headers: { 'X-Demo-Fault': 'store-down' },
        expect: {
          status: 503,
          headers: { 'retry-after': '^\\d+$' },
          body: '^(?!.*(ECONNREFUSED|10\\.0\\.0\\.7)).*SERVICE_UNAVAILABLE',
        },
      },
    ],
  },
  {
    id: 'bug',
    steps: [
      {
        path: '/employees/1',
        as: 'ada',
        headers: { 'X-Demo-Fault': '500', 'X-Correlation-ID': 'play-{run}' },
        expect: { status: 500, headers: { 'x-correlation-id': '^play-{run}$' }, body: '^(?!.*on purpose)' },
      },
    ],
  },
  {
    id: 'slow',
    steps: [{ path: '/employees/1', as: 'ada', headers: { 'X-Demo-Fault': 'slow:1s' }, expect: { status: 200 } }],
  },
  {
    id: 'drop',
    steps: [{ path: '/employees/1', as: 'ada', headers: { 'X-Demo-Fault': 'drop' }, expect: { status: 0 } }],
  },
  {
    id: 'mistakes',
    steps: [
      { path: '/employees?page=-1', as: 'ada', expect: { status: 400, body: 'INVALID_PARAMETER' } },
      { path: '/employees?color=red', as: 'ada', expect: { status: 400, body: 'UNKNOWN_PARAMETER' } },
      { path: '/employees', expect: { status: 401, headers: { 'www-authenticate': '^Bearer' } } },
      { method: 'POST', path: '/employees', as: 'eve', json, expect: { status: 403, body: 'INSUFFICIENT_SCOPE' } },
      { path: '/employees/999999', as: 'ada', expect: { status: 404, body: 'NOT_FOUND' } },
      { method: 'PUT', path: '/employees', as: 'ada', json, expect: { status: 405, headers: { allow: 'GET' } } },
      { path: '/employees/1', as: 'ada', headers: { Accept: 'video/mp4' }, expect: { status: 406 } },
      {
        method: 'POST',
        path: '/employees',
        as: 'ada',
        headers: { 'Content-Type': 'text/csv' },
        body: 'a,b',
        expect: { status: 415 },
      },
      {
        method: 'POST',
        path: '/employees',
        as: 'ada',
        json: { name: '', salary: 'many' },
        expect: { status: 400, body: '"pointer":"/salary"' },
      },
      {
        method: 'POST',
        path: '/employees',
        as: 'ada',
        json: { ...json, salary: -1 },
        expect: { status: 422, body: '"pointer":"/salary"' },
      },
    ],
  },
]
