import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { exchange } from '../raw.ts'
import { onEveryDatabase, record } from '../service.ts'

const grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }
const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }

onEveryDatabase('4.3 the fields', (service) => {
  const create = async (): Promise<{ path: string; etag: string }> => {
    const call = { as: 'ada', method: 'POST', path: '/employees', json: grace }
    const { headers } = await service.check(call, { status: 201 })
    return { path: headers['location'] ?? '', etag: headers['etag'] ?? '' }
  }
  const get = (path: string, headers: Record<string, string> = {}, status = 200) =>
    service.check({ as: 'ada', path, headers }, { status })

  test('4.3-accept returns the format that the client prefers most', async () => {
    const { headers } = await get('/employees/1', { accept: 'text/csv;q=0.5, application/xml;q=0.9, image/webp' })
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    await get('/employees/1', { accept: 'application/json;q=0, image/webp' }, 406)
  })

  test('4.3-content-type the format of a body is what it says', async () => {
    const body = '<employee><name>Ada &amp; Co</name><department>Sales</department><salary>12.5</salary></employee>'
    const headers = { 'content-type': 'application/xml' }
    const call = { as: 'ada', method: 'POST', path: '/employees', headers, body }
    const expected = { 'content-type': 'application/json; charset=utf-8' }
    await service.check(call, { status: 201, headers: expected, body: { name: 'Ada & Co', salary: 12.5 } })
    await service.check({ ...call, headers: { 'content-type': 'application/json' } }, { status: 400 })
  })

  test('4.3-accept-language returns messages in the preferred language', async () => {
    const message = async (language: string): Promise<[string, string | undefined]> => {
      const { text, headers } = await get('/employees/99999', { 'accept-language': language }, 404)
      return [JSON.parse(text).message, headers['content-language']]
    }
    const answers = await Promise.all(['en', 'de', 'fr-CA, de;q=0.5', 'es'].map(message))
    expect(answers.map(([, language]) => language)).toEqual(['en', 'de', 'fr', 'es'])
    expect(new Set(answers.map(([text]) => text)).size).toBe(4)
    expect(await message('xx')).toEqual(answers[0])
  })

  test('4.3-accept-encoding supports gzip, br and deflate, and sends identity if requested', async () => {
    const plain = await get('/employees', { 'accept-encoding': 'identity' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const [coding, decode] of Object.entries(DECODERS)) {
      const coded = await get('/employees', { 'accept-encoding': `${coding}, identity;q=0.1` })
      expect(coded.headers['content-encoding']).toBe(coding)
      expect(decode(coded.body).toString()).toBe(plain.text)
      expect(coded.body.length).toBeLessThan(plain.body.length / 2)
    }
  })

  test('4.3-authorization reads credentials from this header only', async () => {
    await get('/employees/1')
    await service.check({ path: '/employees/1' }, { status: 401 })
    await service.check({ path: '/employees/1', headers: { 'x-user': 'ada', cookie: 'ada' } }, { status: 401 })
  })

  test('4.3-cache-control no-cache and max-age=0 still get a complete response', async () => {
    const { etag } = (await get('/employees/1')).headers
    await get('/employees/1', { 'cache-control': 'no-cache', 'if-none-match': '"other"' })
    await get('/employees/1', { 'cache-control': 'max-age=0', 'if-none-match': etag ?? '' }, 304)
  })

  test('4.3-if-none-match any of several ETags revalidates', async () => {
    const { headers } = await get('/employees/1')
    const same = await get('/employees/1', { 'if-none-match': `"a", ${headers['etag']}, W/"b"` }, 304)
    expect(same.text).toBe('')
    await get('/employees/1', { 'if-none-match': '"a"' })
  })

  test('4.3-if-match a change happens to the version it was meant for', async () => {
    const { path, etag } = await create()
    const change = { as: 'ada', method: 'PATCH', path, json: { salary: 1 } }
    const stale = { status: 412, body: record(412, 'PRECONDITION_FAILED', path) }
    await service.check({ ...change, headers: { 'if-match': '"old"' } }, stale)
    await service.check({ ...change, headers: { 'if-match': etag } }, { status: 200 })
    await service.check({ ...change, headers: { 'if-match': etag } }, stale)
    await service.check({ as: 'ada', path }, { body: { salary: 1 } })
  })

  test('4.3-if-modified-since the date of the last change revalidates', async () => {
    const { headers } = await get('/employees/1')
    const modified = headers['last-modified'] ?? ''
    await get('/employees/1', { 'if-modified-since': modified }, 304)
    await get('/employees/1', { 'if-modified-since': new Date(Date.parse(modified) - 5000).toUTCString() })
    await get('/employees/1', { 'if-modified-since': 'yesterday' })
  })

  test('4.3-host rejects HTTP/1.1 without it', async () => {
    const url = service.url
    expect(await exchange(url, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await exchange(url, 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 200 /,
    )
    const { text } = await get('/employees/1', { host: 'evil.example' }, 421)
    expect(text).not.toContain('evil.example')
  })

  test('4.3-user-agent another client gets the same', async () => {
    const [one, two] = [await get('/employees/1'), await get('/employees/1', { 'user-agent': 'curl/8 (rule)' })]
    expect(two.text).toBe(one.text)
    expect(two.headers['etag']).toBe(one.headers['etag'])
  })

  test('4.3-cookie nothing depends on it', async () => {
    const [one, two] = [await get('/employees/1'), await get('/employees/1', { cookie: 'SESSION_ID=x; a=b' })]
    expect(two.text).toBe(one.text)
    expect(two.headers['vary']).not.toMatch(/cookie/i)
  })

  test('4.3-correlation every response has the id of its request, or a new one', async () => {
    for (const [path, status] of [['/employees/1', 200] as const, ['/nothing', 404] as const]) {
      const given = await get(path, { 'x-correlation-id': 'rule-1.a:b' }, status)
      expect(given.headers['x-correlation-id']).toBe('rule-1.a:b')
      const made = await get(path, { 'x-correlation-id': 'a b<script>' }, status)
      expect(made.headers['x-correlation-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    }
  })

  test('4.3-idempotency-key a retried POST takes effect once', async () => {
    const headers = { 'idempotency-key': 'rule-key' }
    const call = { as: 'ada', method: 'POST', path: '/employees', json: grace, headers }
    const first = await service.check(call, { status: 201, headers: { 'idempotent-replayed': undefined } })
    const replayed = { 'idempotent-replayed': 'true', location: first.headers['location'] }
    await service.check(call, { status: 201, headers: replayed, body: first.text })
    const reused = { status: 422, body: record(422, 'IDEMPOTENCY_KEY_REUSED') }
    await service.check({ ...call, json: { ...grace, salary: 1 } }, reused)
    await service.check({ ...call, as: 'adam' }, { status: 201, headers: { 'idempotent-replayed': undefined } })
  })

  test('4.3-content-length is the number of bytes', async () => {
    for (const path of ['/employees', '/employees/1', '/nothing']) {
      const { headers, body } = await service.check({ as: 'ada', path }, {})
      expect(headers['content-length'], path).toBe(String(body.length))
    }
  })

  test('4.3-content-encoding a compressed response has a separate ETag', async () => {
    const [plain, coded] = [await get('/employees'), await get('/employees', { 'accept-encoding': 'gzip' })]
    expect(coded.headers['content-encoding']).toBe('gzip')
    expect(coded.headers['etag']).not.toBe(plain.headers['etag'])
    expect(coded.headers['vary']).toMatch(/Accept-Encoding/)
  })

  test('4.3-etag it changes with the resource, and only then', async () => {
    const { path } = await create()
    const tag = async (): Promise<string | undefined> => (await get(path)).headers['etag']
    const first = await tag()
    expect(first).toMatch(/^(W\/)?"[^"]+"$/)
    expect(await tag()).toBe(first)
    await service.check({ as: 'ada', method: 'PATCH', path, json: { salary: 7 } }, { status: 200 })
    expect(await tag()).not.toBe(first)
  })

  test('4.3-last-modified is a date of HTTP that is not in the future', async () => {
    const { path } = await create()
    const { headers } = await get(path)
    expect(headers['last-modified']).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
    expect(Date.parse(headers['last-modified'] ?? '')).toBeLessThanOrEqual(Date.parse(headers['date'] ?? ''))
  })

  test('4.3-location names what was created', async () => {
    const { path } = await create()
    expect(path).toMatch(/^\/employees\/\d+$/)
    await service.check({ as: 'ada', path }, { status: 200, body: grace })
  })

  test('4.3-set-cookie no response sets one', async () => {
    for (const path of ['/', '/employees', '/nothing', '/health'])
      for (const accept of ['application/json', 'text/html'])
        await service.check({ as: 'ada', path, headers: { accept } }, { headers: { 'set-cookie': undefined } })
  })

  test('4.3-vary names every header that was used to choose', async () => {
    for (const path of ['/employees', '/employees/1', '/products/1']) {
      const { headers } = await get(path)
      expect(headers['vary'], path).toMatch(/(^|, )Accept(,|$)/)
    }
    expect((await get('/employees')).headers['vary']).toMatch(/Accept-Encoding/)
  })

  test('4.3-cors tells scripts of other origins what they may do', async () => {
    const origin = 'https://a.example'
    await service.check({ path: '/nothing', headers: { origin } }, { headers: { 'access-control-allow-origin': '*' } })
    const headers = { origin, 'access-control-request-method': 'PATCH' }
    const answer = await service.check({ method: 'OPTIONS', path: '/employees/1', headers }, { status: 204 })
    expect(answer.headers['access-control-allow-methods']).toMatch(/\bPATCH\b/)
    expect(answer.headers['access-control-allow-headers']).toMatch(/Authorization.*Idempotency-Key.*If-Match/)
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })

  test('4.3-security responses and errors have the headers', async () => {
    const headers = {
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
      'x-powered-by': undefined,
      server: undefined,
      'strict-transport-security': undefined,
    }
    for (const path of ['/employees/1', '/employees', '/nothing', '/health'])
      await service.check({ as: 'ada', path }, { headers })
  })

  test('4.3-allow rejects an unsupported method with the supported ones', async () => {
    const allow = 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'
    for (const method of ['POST', 'QUERY'])
      await service.check({ as: 'ada', method, path: '/employees/1' }, { status: 405, headers: { allow } })
  })

  test('4.3-1 format and encoding are chosen together', async () => {
    const wanted = { accept: 'application/xml', 'accept-language': 'de', 'accept-encoding': 'gzip' }
    const { headers, body } = await get('/employees', wanted)
    expect(headers).toMatchObject({ 'content-type': 'application/xml; charset=utf-8', 'content-encoding': 'gzip' })
    expect(gunzipSync(body).toString()).toMatch(/^<\?xml/)
  })

  test('4.3-2 the format of the request does not choose that of the response', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/xml' }
    const call = { as: 'ada', method: 'POST', path: '/employees', headers, json: grace }
    await service.check(call, { status: 201, body: /^<\?xml.*<name>Grace Hopper<\/name>/s })
  })

  test('4.3-3 skips what cannot be produced', async () => {
    const { headers } = await get('/employees/1', {
      accept: 'image/webp, text/csv;q=0.1',
      'accept-encoding': 'compress, *',
    })
    expect(headers['content-type']).toMatch(/^text\/csv/)
  })

  test('4.3-4 returns 304 without a body for the current ETag', async () => {
    for (const path of ['/employees/1', '/employees?size=5', '/orders/1', '/products/1']) {
      const { headers } = await get(path)
      const again = await get(path, { 'if-none-match': headers['etag'] ?? '' }, 304)
      expect(again.body.length).toBe(0)
      expect(again.headers).toMatchObject({ etag: headers['etag'], 'cache-control': headers['cache-control'] })
    }
  })

  test('4.3-5 catalogs are cacheable, balances and payments are not', async () => {
    for (const path of ['/products', '/products/1', '/categories'])
      await service.check({ path }, { status: 200, headers: { 'cache-control': /^public, max-age=\d+/ } })
    for (const path of ['/accounts', '/accounts/1', '/payments', '/transfers', '/cart'])
      await service.check({ as: 'ada', path }, { status: 200, headers: { 'cache-control': 'no-store' } })
  })
})
