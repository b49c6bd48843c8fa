import { type Demonstrations, publicly, step } from './steps.ts'

/** Authentication. */
export const security: Demonstrations = {
  '5-1': [
    step('/tokens', {
      method: 'POST',
      sends: { 'Content-Type': 'application/x-www-form-urlencoded' },
      text: 'grant_type=client_credentials',
      keep: { token: 'json /access_token' },
      body: '"token_type":"Bearer"',
    }),
    publicly('/employees/1', { sends: { Authorization: 'Bearer {token}' } }),
    step('/employees/1'),
    publicly('/employees/1', {
      sends: { Authorization: 'Bearer a.b.c' },
      status: 401,
      headers: { 'www-authenticate': 'error_description="The token is not a signed JWT."' },
    }),
  ],
  '5-2': [publicly('/employees?access_token=abc', { status: 400 })],
  '5-4': [
    publicly('/employees', { status: 401 }),
    step('/employees', { as: 'sam', status: 403 }),
    step('/users/1', { as: 'carl', status: 403 }),
  ],
  '5-6': [step('/employees/1', { headers: { 'set-cookie': null } })],
  '5-7': [
    publicly('/.well-known/oauth-authorization-server', { body: '"token_endpoint":' }),
    publicly('/.well-known/jwks.json', { body: '"keys":' }),
  ],
}
