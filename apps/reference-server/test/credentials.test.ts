import { describe, expect, test } from 'vitest'
import { basic, type Call, record, serviceFor } from './service.ts'

const service = serviceFor()

const grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }

const challenges = 'Bearer realm="svc", Basic realm="svc", charset="UTF-8"'
test.each<[string, string | undefined, number, string, string | undefined]>([
  ['none', undefined, 401, 'AUTHENTICATION_REQUIRED', challenges],
  ['a wrong password', basic('ada', 'x'), 401, 'INVALID_CREDENTIALS', challenges],
  ['an unknown user', basic('nobody', 'x'), 401, 'INVALID_CREDENTIALS', challenges],
  ['no Base64', 'Basic !!!', 401, 'INVALID_CREDENTIALS', challenges],
  ['no colon', 'Basic YWRh', 401, 'INVALID_CREDENTIALS', challenges],
  ['another scheme', 'Digest x', 401, 'INVALID_CREDENTIALS', challenges],
  ['an empty token', 'Bearer ', 400, 'INVALID_REQUEST', 'Bearer realm="svc", error="invalid_request"'],
  ['two tokens', 'Bearer a b', 400, 'INVALID_REQUEST', 'Bearer realm="svc", error="invalid_request"'],
  [
    'a forged token',
    'Bearer a.b.c',
    401,
    'INVALID_TOKEN',
    'Bearer realm="svc", error="invalid_token", error_description="The token is not a signed JWT."',
  ],
])('refuses %s', async (_title, authorization, status, code, challenge) => {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
  const expected = { status, headers: { 'www-authenticate': challenge }, body: record(status, code) }
  await service.check({ path: '/employees', headers }, expected)
})

const token = async (as: string, body = 'grant_type=client_credentials'): Promise<string> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const expected = {
    status: 200,
    headers: { 'cache-control': 'no-store' },
    body: { token_type: 'Bearer', expires_in: 900 },
  }
  const answer = await service.check({ as, method: 'POST', path: '/tokens', headers, body }, expected)
  return JSON.parse(answer.text).access_token
}

test('issues tokens that work, and narrows their scope', async () => {
  const all = { authorization: `bearer ${await token('ada')}` }
  await service.check({ path: '/employees', headers: all }, { status: 200 })
  const some = { authorization: `Bearer ${await token('ada', 'grant_type=client_credentials&scope=orders:read')}` }
  const headers = {
    'www-authenticate': 'Bearer realm="svc", error="insufficient_scope", scope="employees:read"',
  }
  await service.check(
    { path: '/employees', headers: some },
    { status: 403, headers, body: record(403, 'INSUFFICIENT_SCOPE') },
  )
})

test('refuses to issue a token by anything but Basic and client_credentials', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const call = { method: 'POST', path: '/tokens', headers, body: 'grant_type=password' }
  await service.check({ ...call, as: 'ada' }, { status: 400, body: record(400, 'UNSUPPORTED_GRANT_TYPE') })
  await service.check({ ...call, body: 'grant_type=client_credentials' }, { status: 401 })
  const bearer = { ...headers, authorization: `Bearer ${await token('ada')}` }
  await service.check({ ...call, headers: bearer, body: 'grant_type=client_credentials' }, { status: 401 })
})

test('lets readers read, and nobody without scopes', async () => {
  await service.check({ as: 'eve', path: '/employees' }, { status: 200 })
  await service.check({ as: 'eve', method: 'POST', path: '/employees', json: grace }, { status: 403 })
  await service.check({ as: 'sam', path: '/employees' }, { status: 403, body: record(403, 'INSUFFICIENT_SCOPE') })
  const answer = await service.check({ as: 'eve', path: '/employees/1' }, { status: 200 })
  expect(Object.keys(JSON.parse(answer.text)._links)).toEqual(['self', 'department', 'projects'])
})

test('slows down wrong passwords, and not the user who proved the right one before', async () => {
  const wrong = { path: '/employees', headers: { authorization: basic('adam', 'wrong') } }
  const slow = { status: 429, body: record(429, 'RATE_LIMITED') }
  const fail = async (count: number): Promise<void> => {
    for (let attempt = 0; attempt < count; attempt++) await service.check(wrong, { status: 401 })
  }
  await fail(10)
  const blocked = await service.check(wrong, slow)
  expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(60)
  expect(Number(blocked.headers['retry-after'])).toBeLessThanOrEqual(90)
  // Never proven here: slowed down like any other password.
  await service.check({ as: 'adam', path: '/employees' }, slow)
  await service.check({ as: 'ada', path: '/employees' }, { status: 200 })

  const right = { as: 'eve', path: '/employees' }
  wrong.headers.authorization = basic('eve', 'wrong')
  await service.check(right, { status: 200 })
  await fail(10)
  await service.check(wrong, slow)
  await service.check(right, { status: 200 })
  // A success deletes the count only once. Guesses stay limited even if the user is active at the
  // same address.
  await fail(10)
  await service.check(wrong, slow)
  await service.check(right, { status: 200 })
  await service.check(wrong, slow)
})

describe('clients behind a proxy', () => {
  const proxied = serviceFor(() => ({ SVC_TRUST_PROXY: '127.0.0.1' }))
  const from = (address: string, username: string, password?: string): Call => ({
    path: '/employees',
    headers: {
      authorization: basic(username, password),
      'x-forwarded-for': address,
      'x-forwarded-proto': 'https',
    },
  })
  const slow = { status: 429, body: record(429, 'RATE_LIMITED') }

  test('cannot tell the password of a user who has proven it at another address', async () => {
    await proxied.check(from('198.51.100.1', 'eve'), { status: 200 })
    for (let attempt = 0; attempt < 10; attempt++)
      await proxied.check(from('203.0.113.9', 'eve', 'wrong'), { status: 401 })
    await proxied.check(from('203.0.113.9', 'eve', 'wrong'), slow)
    await proxied.check(from('203.0.113.9', 'eve'), slow)
    await proxied.check(from('198.51.100.1', 'eve'), { status: 200 })
  })

  test('share their attempts within a subnet of IPv6', async () => {
    for (let host = 1; host <= 10; host++)
      await proxied.check(from(`2001:db8:1:1::${host}`, 'adam', 'wrong'), { status: 401 })
    await proxied.check(from('2001:db8:1:1::99', 'adam', 'wrong'), slow)
    await proxied.check(from('2001:db8:1:2::1', 'adam', 'wrong'), { status: 401 })
  })
})

test('publishes where it is described (RFC 9727)', async () => {
  const type = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
  const path = '/.well-known/api-catalog'
  const { text } = await service.check({ path }, { status: 200, headers: { 'content-type': type } })
  const [{ anchor, ...relations }] = JSON.parse(text).linkset
  expect(anchor).toBe('/')
  expect(Object.keys(relations)).toEqual(['service-desc', 'service-doc', 'status'])
  for (const { href, type } of Object.values(relations).flat() as { href: string; type: string }[]) {
    const headers = { 'content-type': new RegExp(`^${type.replace('+', '\\+')}`) }
    await service.check({ path: href, headers: { accept: type } }, { status: 200, headers })
  }
  await service.check(
    { path, headers: { accept: 'application/json' } },
    { status: 200, body: { linkset: [{ anchor }] } },
  )
})

test('publishes its keys and itself', async () => {
  const keys = await service.check({ path: '/.well-known/jwks.json' }, { status: 200 })
  expect(JSON.parse(keys.text).keys[0]).toMatchObject({ kty: 'EC', alg: 'ES256', use: 'sig' })
  expect(keys.text).not.toContain('"d"')
  await service.check({ path: '/.well-known/oauth-authorization-server' }, { status: 200, body: /token_endpoint/ })
})
