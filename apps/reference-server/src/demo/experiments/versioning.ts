import type { Experiment } from '../experiment.ts'

const V2 = '"salary":\\{"amount":"[0-9.]+","currency":"EUR"\\}'

/** Versions side by side. */
export const versioning: readonly Experiment[] = [
  {
    id: 'side-by-side',
    title: 'Side by side',
    says: 'The same employee: in version 1 the salary is a number, in version 2 an amount with its currency.',
    steps: [
      { path: '/v1/employees/1', as: 'eve', expect: { status: 200, body: '"salary":\\d' } },
      { path: '/v2/employees/1', as: 'eve', expect: { status: 200, body: V2 } },
    ],
  },
  {
    id: 'three-ways',
    title: 'Three ways to name a version',
    says: 'The path, a field, or the media type. The answer is the same.',
    steps: [
      { path: '/v2/employees/1', as: 'eve', expect: { status: 200, headers: { 'api-version': '^2$' }, body: V2 } },
      {
        ...{ path: '/employees/1', as: 'eve', headers: { 'API-Version': '2' } },
        expect: { status: 200, headers: { 'api-version': '^2$', vary: 'API-Version' }, body: V2 },
      },
      {
        ...{ path: '/employees/1', as: 'eve', headers: { Accept: 'application/vnd.svc.v2+json' } },
        expect: { status: 200, headers: { 'api-version': '^2$', vary: 'Accept' }, body: V2 },
      },
    ],
  },
  {
    id: 'lifecycle',
    title: 'A version that will go',
    says: 'Version 1 says since when it is deprecated, when it ends, and what comes after it. Nobody who names no version is moved.',
    steps: [
      {
        ...{ path: '/employees/1', as: 'eve' },
        expect: { status: 200, headers: { deprecation: '^@\\d+$', sunset: 'GMT$', link: 'successor-version' } },
      },
      { path: '/v2/employees/1', as: 'eve', expect: { status: 200, headers: { deprecation: null, sunset: null } } },
    ],
  },
  {
    id: 'wrong-version',
    title: 'Contradictions',
    says: 'Two versions in one request, or one that never was, are refused with the versions that exist.',
    steps: [
      { path: '/v1/employees/1', as: 'eve', headers: { 'API-Version': '2' }, expect: { status: 400 } },
      { path: '/employees/1', as: 'eve', headers: { 'API-Version': '9' }, expect: { status: 400 } },
    ],
  },
]
