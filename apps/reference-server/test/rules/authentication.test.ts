import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { startProcess } from '../process.ts'
import { exchange } from '../raw.ts'
import { basic, onEveryDatabase, record, send, startService } from '../service.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

onEveryDatabase('5 authentication', (service) => {
  const token = async (as: string, body = 'grant_type=client_credentials'): Promise<Record<string, never>> => {
    const call = { as, method: 'POST', path: '/tokens', headers: FORM, body }
    return JSON.parse((await service.check(call, { status: 200, headers: { 'cache-control': 'no-store' } })).text)
  }

  test('5-1 Bearer and Basic identify the client', async () => {
    const { access_token: bearer } = await token('eve')
    await service.check({ path: '/employees/1', headers: { authorization: `Bearer ${bearer}` } }, { status: 200 })
    await service.check({ path: '/employees/1', headers: { authorization: basic('eve') } }, { status: 200 })
    for (const wrong of [`Bearer ${String(bearer).slice(0, -4)}AAAA`, 'Bearer a.b.c', basic('eve', 'x'), 'Digest x'])
      await service.check({ path: '/employees/1', headers: { authorization: wrong } }, { status: 401 })
    const [head = '', claims = ''] = String(bearer).split('.')
    const none = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${claims}.`
    await service.check({ path: '/employees/1', headers: { authorization: `Bearer ${none}` } }, { status: 401 })
    await service.check(
      { path: '/employees/1', headers: { authorization: `Bearer ${head}.${claims}.` } },
      { status: 401 },
    )
  })

  test('5-4 returns 401 without credentials, and 403 without permission', async () => {
    const challenges = { 'www-authenticate': 'Bearer realm="svc", Basic realm="svc", charset="UTF-8"' }
    const nobody = { status: 401, headers: challenges, body: record(401, 'AUTHENTICATION_REQUIRED') }
    for (const path of ['/employees', '/employees/1', '/orders', '/users', '/accounts', '/payments', '/cart'])
      await service.check({ path }, nobody)
    await service.check({ as: 'sam', path: '/employees' }, { status: 403, body: record(403, 'INSUFFICIENT_SCOPE') })
    const { access_token: narrow } = await token('ada', 'grant_type=client_credentials&scope=orders:read')
    const headers = { 'www-authenticate': /error="insufficient_scope", scope="employees:read"/ }
    const call = { path: '/employees', headers: { authorization: `Bearer ${narrow}` } }
    await service.check(call, { status: 403, headers })
  })

  test('5-1 a rejected token says which check it failed, and two Authorization headers are 400', async () => {
    const { access_token: bearer } = await token('eve')
    const forged = `Bearer ${String(bearer).slice(0, -4)}AAAA`
    const challenge =
      'Bearer realm="svc", error="invalid_token", error_description="The signature of the token is not valid."'
    const expected = { status: 401, headers: { 'www-authenticate': challenge }, body: record(401, 'INVALID_TOKEN') }
    await service.check({ path: '/employees/1', headers: { authorization: forged } }, expected)
    const { host } = new URL(service.url)
    const fields = [basic('eve'), `Bearer ${bearer}`].map((value) => `Authorization: ${value}\r\n`).join('')
    const head = `GET /employees/1 HTTP/1.1\r\nHost: ${host}\r\n${fields}Connection: close\r\n\r\n`
    expect(await exchange(service.url, head)).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('5-4 a customer sees and changes only what is their own', async () => {
    const page = JSON.parse((await service.check({ as: 'carl', path: '/orders?size=100' }, { status: 200 })).text)
    expect(new Set(page.items.map(({ customerId }: { customerId: number }) => customerId))).toEqual(new Set([1]))
    for (const path of ['/customers/2', '/users/7', '/accounts/7', '/customers/2/orders', '/users/7/orders'])
      await service.check({ as: 'carl', path }, { status: 403, body: record(403, 'FORBIDDEN') })
    const json = { fromAccountId: 7, toAccountId: 6, amount: { amount: '1.00', currency: 'EUR' } }
    const headers = { 'idempotency-key': '"rule-5-4"' }
    const call = { as: 'carl', method: 'POST', path: '/transfers', json, headers }
    await service.check(call, { status: 403, body: record(403, 'FORBIDDEN') })
  })

  test('5-6 sets no cookie, and reads none', async () => {
    const { headers } = await service.check({ as: 'ada', path: '/employees' }, { status: 200 })
    expect(headers['set-cookie']).toBeUndefined()
    const cookie = 'SESSION_ID=1; access_token=x'
    await service.check({ path: '/employees', headers: { cookie } }, { status: 401 })
  })

  test('5-7 tokens are at+jwt by ES256 for 15 minutes, with scopes; the catalog is public', async () => {
    const issued = await token('bob')
    expect(issued).toMatchObject({
      token_type: 'Bearer',
      expires_in: 900,
      scope: expect.stringContaining('orders:fulfil'),
    })
    const jwt = String(issued['access_token'])
    expect(decodeProtectedHeader(jwt)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' })
    const claims = decodeJwt(jwt)
    expect(claims).toMatchObject({
      sub: expect.stringMatching(/^user:[0-9a-f]{32}$/),
      aud: 'svc-reference-server',
      jti: expect.any(String),
    })
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900)
    for (const path of ['/products', '/categories', '/products/1/reviews', '/health', '/.well-known/jwks.json', '/'])
      await service.check({ path }, { status: 200 })
    await service.check({ method: 'POST', path: '/products', json: {} }, { status: 401 })
    const grant = { as: 'ada', method: 'POST', path: '/tokens', headers: FORM, body: 'grant_type=password' }
    await service.check(grant, { status: 400, body: record(400, 'UNSUPPORTED_GRANT_TYPE') })
  })
})

describe('5 secrets', () => {
  test('5-2 rejects a token in the query, and never logs it', async () => {
    const server = await startProcess({ LOG_LEVEL: 'trace' })
    const call = { method: 'POST', path: '/tokens', headers: { ...FORM, authorization: basic('ada') } }
    const issued = await send(server.url, { ...call, body: 'grant_type=client_credentials' })
    const bearer = JSON.parse(issued.text).access_token
    for (const name of ['access_token', 'token'])
      expect((await send(server.url, { path: `/employees?${name}=${bearer}` })).status, name).toBe(400)
    const authorization = `Bearer ${bearer}`
    const both = await send(server.url, { path: `/employees?access_token=${bearer}`, headers: { authorization } })
    expect(both.status).toBe(400)
    expect((await send(server.url, { path: '/employees', headers: { authorization } })).status).toBe(200)
    server.child.kill('SIGTERM')
    await server.exited
    const { stdout, stderr } = server.output()
    expect(stdout.match(/"msg":"request"/g)).toHaveLength(5)
    // Standard error contains the banner, with the passwords of the demo, which are public.
    for (const secret of [bearer, 'ada-demo', basic('ada').slice(6)]) expect(stdout).not.toContain(secret)
    for (const secret of [bearer, basic('ada').slice(6)]) expect(stderr).not.toContain(secret)
  })

  test('7-4 logs a failure with its stack and the id in the response', async () => {
    const server = await startService({ LOG_LEVEL: 'fatal' })
    const lines: Record<string, unknown>[] = []
    server.running.log.error = ((entry: Record<string, unknown>) => void lines.push(entry)) as never
    await server.running.database.run('drop table "notifications"')
    const headers = { 'x-correlation-id': 'rule-7-4' }
    await server.check({ as: 'ada', path: '/notifications', headers }, { status: 500 })
    await server.check({ as: 'ada', path: '/nothing', headers }, { status: 404 })
    expect(lines).toMatchObject([{ correlationId: 'rule-7-4', status: 500, err: expect.any(Error) }])
    await server.running.stop()
  })
})
