import type { PlayExperiment } from '../experiment.ts'

const V2 = '"salary":\\{"amount":"[0-9.]+","currency":"EUR"\\}'

const SAME = { name: 'json /name', department: 'json /department/name', amount: 'json /salary/amount' }
const SAME_AGAIN = '"name":"{name}","department":.*"name":"{department}".*"amount":"{amount}"'

/** Versions side by side. */
export const versioning: readonly PlayExperiment[] = [
  {
    id: 'side-by-side',
    shows: 'differences',
    steps: [
      { path: '/v1/employees/1', as: 'eve', expect: { status: 200, body: '"salary":\\d' } },
      { path: '/v2/employees/1', as: 'eve', expect: { status: 200, body: V2 } },
    ],
  },
  {
    id: 'three-ways',
    steps: [
      {
        path: '/v2/employees/1',
        as: 'eve',
        keep: SAME,
        expect: { status: 200, headers: { 'api-version': '^2$' }, body: V2 },
      },
      {
        path: '/employees/1',
        as: 'eve',
        headers: { 'API-Version': '2' },
        expect: { status: 200, headers: { 'api-version': '^2$', vary: 'API-Version' }, body: SAME_AGAIN },
      },
      {
        path: '/employees/1',
        as: 'eve',
        headers: { Accept: 'application/vnd.svc.v2+json' },
        expect: { status: 200, headers: { 'api-version': '^2$', vary: 'Accept' }, body: SAME_AGAIN },
      },
    ],
  },
  {
    id: 'lifecycle',
    steps: [
      {
        path: '/play/lifecycle/v1/',
        expect: { status: 200, headers: { deprecation: '^@\\d+$', sunset: 'GMT$', link: 'successor-version' } },
      },
      { path: '/play/lifecycle/v2/', expect: { status: 200, headers: { deprecation: null, sunset: null } } },
    ],
  },
  {
    id: 'wrong-version',
    steps: [
      { path: '/v1/employees/1', as: 'eve', headers: { 'API-Version': '2' }, expect: { status: 400 } },
      { path: '/employees/1', as: 'eve', headers: { 'API-Version': '9' }, expect: { status: 400 } },
    ],
  },
]
