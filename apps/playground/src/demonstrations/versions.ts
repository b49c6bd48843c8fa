import { type Demonstrations, step } from './steps.ts'

const V2 = '"salary":\\{"amount":'

/** Versions. */
export const versions: Demonstrations = {
  '9-uri': [step('/v1/employees/1', { body: '"salary":\\d' }), step('/v2/employees/1', { body: V2 })],
  '9-header': [
    step('/employees/1', { sends: { 'API-Version': '2' }, body: V2 }),
    step('/employees/1', { sends: { 'Accept-Version': '2' }, body: V2 }),
  ],
  '9-media-type': [
    step('/employees/1', {
      sends: { Accept: 'application/vnd.svc.v2+json' },
      body: V2,
      headers: { 'content-type': 'application/vnd\\.svc\\.v2\\+json', vary: '\\bAccept\\b' },
    }),
  ],
  '9-compatible': [step('/employees/1', { body: '"salary":\\d', headers: { 'api-version': '^1$' } })],
  '9-1': [
    step('/employees/1', { sends: { 'API-Version': '1' }, body: '"salary":\\d' }),
    step('/employees/1', { sends: { 'API-Version': '2' }, body: V2 }),
  ],
  '9-2': [step('/employees/1', { sends: { 'API-Version': '2' }, headers: { vary: 'API-Version' } })],
  '9-4': [
    step('/employees/1', { headers: { 'api-version': '^1$', deprecation: null } }),
    step('/employees/1', { method: 'OPTIONS', status: 204, headers: { 'api-supported-versions': '1, 2' } }),
    step('/v9/employees/1', { status: 404 }),
  ],
}
