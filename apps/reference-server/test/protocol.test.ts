import { request } from 'node:http'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, record, type Service, send, startService } from './service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.running.stop())

const grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }

describe('representations', () => {
  test.each([
    ['application/json', 'application/json; charset=utf-8', /^\{"id":1,/],
    ['application/hal+json', 'application/hal+json', /"_links":\{"self":\{"href":"\/employees\/1"\}/],
    ['application/prs.hal-forms+json', 'application/prs.hal-forms+json', /"_templates":\{"default":\{"method":"PUT"/],
    ['application/xml', 'application/xml; charset=utf-8', /<employee><id>1<\/id><name>/],
    ['text/csv', 'text/csv; charset=utf-8; header=present', /^id,name,department,salary,city,managerId\r\n1,/],
    ['text/plain', 'text/plain; charset=utf-8', /^id: 1\nname: /],
    ['application/vnd.svc.v1+json', 'application/vnd.svc.v1+json; charset=utf-8', /"salary":\d+/],
    ['application/vnd.svc.v2+json', 'application/vnd.svc.v2+json; charset=utf-8', /"salary":\{"amount":"/],
    ['text/csv;q=0.5, application/xml;q=0.9', 'application/xml; charset=utf-8', /^<\?xml/],
    ['*/*', 'application/json; charset=utf-8', /^\{/],
  ])('answers %s with %s', async (accept, type, body) => {
    const expected = { status: 200, headers: { 'content-type': type, vary: /\bAccept\b/ }, body }
    await service.check({ as: 'ada', path: '/employees/1', headers: { accept } }, expected)
  })

  test.each([
    ['application/json', /^\{"items":\[\{"id":1,/],
    ['application/hal+json', /^\{"_embedded":\{"employees":\[\{"id":1,/],
    ['application/prs.hal-forms+json', /"_templates":\{"default":\{"method":"POST"/],
    ['application/xml', /<employees><employee><id>1<\/id>.*<page><number>0<\/number>/s],
    ['text/csv', /^id,name,.*\r\n1,.*\r\n2,/],
    ['text/plain', /^page 0 of 69, 137 in all\n/],
  ])('writes a page as %s', async (accept, body) => {
    await service.check({ as: 'ada', path: '/employees?size=2', headers: { accept } }, { status: 200, body })
  })

  test('answers 406 with what there is', async () => {
    const expected = { status: 406, body: record(406, 'NOT_ACCEPTABLE', '/employees/1') }
    const answer = await service.check({ as: 'ada', path: '/employees/1', headers: { accept: 'image/webp' } }, expected)
    expect(answer.text).toContain('application/hal+json')
  })

  test('reads XML with the types of the fields', async () => {
    const body = '<employee><name>Ada &amp; Co</name><department>Sales</department><salary>12.5</salary></employee>'
    const headers = { 'content-type': 'application/xml', accept: 'application/xml' }
    const answer = await service.check(
      { as: 'ada', method: 'POST', path: '/employees', headers, body },
      { status: 201 },
    )
    expect(answer.text).toContain('<name>Ada &amp; Co</name><department>Sales</department><salary>12.5</salary>')
  })

  test.each([
    ['no XML', '<employee>'],
    ['another root', '<person/>'],
    ['an element twice', '<employee><name>a</name><name>b</name></employee>'],
    ['a document type', '<!DOCTYPE employee [<!ENTITY x "y">]><employee><name>&x;</name></employee>'],
    [
      'too many levels',
      `${'<a>'.repeat(40)}${'</a>'.repeat(40)}`.replace('<a>', '<employee>').replace(/<\/a>$/, '</employee>'),
    ],
  ])('refuses XML with %s', async (_title, body) => {
    const headers = { 'content-type': 'application/xml' }
    const expected = { status: 400, body: record(400, 'MALFORMED_BODY', '/employees') }
    await service.check({ as: 'ada', method: 'POST', path: '/employees', headers, body }, expected)
  })

  test.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
    ['zstd', zstdDecompressSync],
  ])('compresses by %s', async (coding, decompress) => {
    const plain = await service.check({ as: 'ada', path: '/employees' }, { status: 200 })
    const headers = { 'accept-encoding': coding }
    const coded = await service.check(
      { as: 'ada', path: '/employees', headers },
      { headers: { 'content-encoding': coding } },
    )
    expect(decompress(coded.body).toString()).toBe(plain.text)
    expect(coded.headers['etag']).not.toBe(plain.headers['etag'])
  })

  test('guards spreadsheets against formulas', async () => {
    const evil = { ...grace, name: '=cmd|1', city: 'a "b", c' }
    const created = await service.check({ as: 'ada', method: 'POST', path: '/employees', json: evil }, { status: 201 })
    const path = created.headers['location'] ?? ''
    const answer = await service.check({ as: 'ada', path, headers: { accept: 'text/csv' } }, { status: 200 })
    expect(answer.text).toMatch(/,'=cmd\|1,Engineering,5000,"a ""b"", c",\r\n$/)
  })
})

describe('versions', () => {
  const v2 = { salary: { currency: 'EUR', amount: expect.stringMatching(/^\d+\.\d\d$/) }, department: { id: 1 } }
  test.each([
    ['path', '/v2/employees/1', {}, '/v2'],
    ['API-Version', '/employees/1', { 'api-version': '2' }, ''],
    ['Accept-Version', '/employees/1', { 'accept-version': '2' }, ''],
    ['media type', '/employees/1', { accept: 'application/vnd.svc.v2+json' }, ''],
  ])('gives version 2 by %s, and links keep the way', async (_title, path, headers, prefix) => {
    const body = { ...v2, _links: { self: { href: `${prefix}/employees/1` } } }
    const expected = { status: 200, headers: { 'api-version': '2', deprecation: undefined }, body }
    await service.check({ as: 'ada', path, headers: headers as Record<string, string> }, expected)
  })

  test('announces the end of version 1', async () => {
    const headers = { 'api-version': '1', deprecation: /^@\d+$/, sunset: /GMT$/, link: /successor-version/ }
    await service.check({ as: 'ada', path: '/employees/1' }, { status: 200, headers })
  })

  test('creates in version 2, and checks it by its own shape', async () => {
    const json = { name: 'Two', department: { name: 'Sales' }, salary: { amount: '10.5', currency: 'EUR' } }
    const path = '/v2/employees'
    const answer = await service.check({ as: 'ada', method: 'POST', path, json }, { status: 201 })
    expect(answer.headers['location']).toMatch(/^\/v2\/employees\/\d+$/)
    expect(JSON.parse(answer.text)).toMatchObject({ salary: { amount: '10.50' }, department: { name: 'Sales', id: 2 } })
    const location = (answer.headers['location'] ?? '').slice(3)
    await service.check({ as: 'ada', path: location }, { body: { salary: 10.5, department: 'Sales' } })
    const wrong = { ...json, salary: 10 }
    const refused = await service.check({ as: 'ada', method: 'POST', path, json: wrong }, { status: 400 })
    expect(JSON.parse(refused.text).errors).toMatchObject([{ pointer: '/salary', code: 'TYPE' }])
  })

  test.each([
    ['/v9/employees', {}, 404],
    ['/employees', { 'api-version': '9' }, 400],
    ['/v1/employees', { 'api-version': '2' }, 400],
    ['/employees', { accept: 'application/vnd.svc.v9+json' }, 406],
  ])('refuses %s with %j by %i', async (path, headers, status) => {
    await service.check({ as: 'ada', path, headers: headers as Record<string, string> }, { status })
  })
})

describe('credentials', () => {
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
    ['a forged token', 'Bearer a.b.c', 401, 'INVALID_TOKEN', 'Bearer realm="svc", error="invalid_token"'],
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

  test('looks at no more attempts of a user after ten failures', async () => {
    const headers = { authorization: basic('adam', 'wrong') }
    for (let attempt = 0; attempt < 10; attempt++) await service.check({ path: '/employees', headers }, { status: 401 })
    const blocked = await service.check(
      { path: '/employees', headers },
      { status: 429, body: record(429, 'RATE_LIMITED') },
    )
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(800)
    await service.check({ as: 'adam', path: '/employees' }, { status: 429 })
    await service.check({ as: 'ada', path: '/employees' }, { status: 200 })
  })

  test('publishes its keys and itself', async () => {
    const keys = await service.check({ path: '/.well-known/jwks.json' }, { status: 200 })
    expect(JSON.parse(keys.text).keys[0]).toMatchObject({ kty: 'EC', alg: 'ES256', use: 'sig' })
    expect(keys.text).not.toContain('"d"')
    await service.check({ path: '/.well-known/oauth-authorization-server' }, { status: 200, body: /token_endpoint/ })
  })
})

describe('requests that are wrong before they are read', () => {
  test.each<[string, string, string, Record<string, string>, string, number, string, string]>([
    [
      'a type',
      'POST',
      '/employees',
      { 'content-type': 'text/plain' },
      'x',
      415,
      'accept-post',
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['no type', 'POST', '/employees', {}, '{}', 415, 'accept', 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'a patch type',
      'PATCH',
      '/employees/1',
      { 'content-type': 'text/plain' },
      'x',
      415,
      'accept-patch',
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a charset',
      'PUT',
      '/employees/1',
      { 'content-type': 'application/json; charset=latin1' },
      '{}',
      415,
      'accept',
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a coding',
      'POST',
      '/employees',
      { 'content-type': 'application/json', 'content-encoding': 'compress' },
      '{}',
      415,
      'accept-encoding',
      'UNSUPPORTED_ENCODING',
    ],
  ])('refuses %s that is not taken', async (_title, method, path, headers, body, status, field, code) => {
    const expected = { status, headers: { [field]: /./ }, body: record(status, code, path) }
    await service.check({ as: 'ada', method, path, headers, body }, expected)
  })

  test('refuses a body of more than 1 MiB, announced or not, and keeps serving', async () => {
    const body = `{"name":"${'x'.repeat(1_100_000)}"}`
    const expected = { status: 413, body: record(413, 'BODY_TOO_LARGE', '/employees') }
    const headers = { 'content-type': 'application/json' }
    await service.check({ as: 'ada', method: 'POST', path: '/employees', headers, body }, expected)
    const chunked = { ...headers, 'transfer-encoding': 'chunked' }
    await service.check({ as: 'ada', method: 'POST', path: '/employees', headers: chunked, body }, expected)
    await service.check({ as: 'ada', path: '/employees/1' }, { status: 200 })
  })

  test('reads the body of a refused request before it closes', async () => {
    const body = 'x'.repeat(900_000)
    const headers = { 'content-type': 'application/json' }
    await service.check({ method: 'POST', path: '/employees', headers, body }, { status: 401 })
  })

  test('refuses what is too long, and what is no HTTP', async () => {
    await service.check(
      { path: `/employees?name=${'x'.repeat(9000)}` },
      { status: 414, body: record(414, 'URI_TOO_LONG') },
    )
    await service.check(
      { path: '/', headers: { 'x-long': 'x'.repeat(17_000) } },
      { status: 431, body: record(431, 'HEADERS_TOO_LARGE') },
    )
    expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n.*"status":400/s)
    expect(await raw(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
  })

  test.each([
    ['/nothing', 404, 'ROUTE_NOT_FOUND'],
    ['/employees/99999', 404, 'NOT_FOUND'],
    ['/employees/abc', 404, 'NOT_FOUND'],
    ['/employees/0', 404, 'NOT_FOUND'],
    ['/employees/9007199254740993', 404, 'NOT_FOUND'],
    ['/employees/1%00', 400, 'MALFORMED_URI'],
    ['/employees/%E0%A4%A', 400, 'MALFORMED_URI'],
    ['/constructor', 404, 'ROUTE_NOT_FOUND'],
  ])('answers GET %s by %i', async (path, status, code) => {
    const answer = await service.check({ as: 'ada', path }, { status, body: record(status, code) })
    expect(answer.text).not.toMatch(/\.ts|node_modules|\\n +at /)
  })

  test('redirects near misses, with the method kept', async () => {
    const get = { status: 301, headers: { location: '/employees?size=1' } }
    await service.check({ as: 'ada', path: '/employees/?size=1' }, get)
    await service.check({ as: 'ada', path: '/Employees?size=1' }, get)
    await service.check(
      { as: 'ada', path: '/v2/Employees/1' },
      { status: 301, headers: { location: '/v2/employees/1' } },
    )
    await service.check({ as: 'ada', method: 'POST', path: '/employees/', json: grace }, { status: 308 })
  })

  test('continues only with requests whose body it wants', async () => {
    const ask = (authorization: string): Promise<[boolean, number]> =>
      new Promise((resolve, reject) => {
        const headers = {
          authorization,
          expect: '100-continue',
          'content-type': 'application/json',
          'content-length': 2,
        }
        let continued = false
        const req = request(`${service.url}/employees`, { method: 'POST', headers, agent: false }, (res) => {
          resolve([continued, res.statusCode ?? 0])
          req.destroy()
        })
        req.on('error', reject).on('continue', () => {
          continued = true
          req.end('{}')
        })
        req.flushHeaders()
      })
    expect(await ask(basic('ada'))).toEqual([true, 400])
    expect(await ask(basic('sam'))).toEqual([false, 403])
  })
})

describe('fields of every answer', () => {
  test.each([
    ['/employees/1', 200],
    ['/nothing', 404],
  ])('sets security fields and correlation on %s', async (path, status) => {
    const headers = { 'x-correlation-id': 'abc-1', origin: 'https://a.example' }
    const expected = {
      'x-correlation-id': 'abc-1',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': /default-src 'none'/,
      'referrer-policy': 'no-referrer',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': /ETag/,
      'x-powered-by': undefined,
      server: undefined,
    }
    await service.check({ as: 'ada', path, headers }, { status, headers: expected })
    const made = await service.check({ as: 'ada', path, headers: { 'x-correlation-id': 'a b' } }, { status })
    expect(made.headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('answers preflights with what the path can do', async () => {
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'DELETE' }
    const answer = await service.check({ method: 'OPTIONS', path: '/employees', headers }, { status: 204 })
    expect(answer.headers['access-control-allow-methods']).toBe('GET,QUERY,POST,HEAD')
    expect(answer.headers['access-control-allow-headers']).toContain('Idempotency-Key')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })
})

describe('maintenance and health', () => {
  test('answers 503 while in maintenance, and tells its health all the same', async () => {
    const { adminUrl } = service.running
    await send(adminUrl, { method: 'PUT', path: '/maintenance' })
    const expected = { status: 503, headers: { 'retry-after': '60' }, body: record(503, 'SERVICE_UNAVAILABLE') }
    await service.check({ as: 'ada', path: '/employees' }, expected)
    await service.check({ path: '/health' }, { status: 200, body: { status: 'pass' } })
    await send(adminUrl, { method: 'DELETE', path: '/maintenance' })
    await service.check({ as: 'ada', path: '/employees' }, { status: 200 })
  })

  test('tells details of its health to those who may know', async () => {
    const answer = await service.check({ as: 'ada', path: '/health' }, { status: 200 })
    expect(JSON.parse(answer.text).checks['store:responseTime'][0]).toMatchObject({ status: 'pass' })
  })

  test('tells operators about itself', async () => {
    const { adminUrl } = service.running
    expect((await send(adminUrl, { path: '/live' })).status).toBe(200)
    expect((await send(adminUrl, { path: '/ready' })).status).toBe(200)
    const metrics = await send(adminUrl, { path: '/metrics' })
    expect(metrics.text).toMatch(/svc_request_seconds_count\{method="GET",route="\/employees",status="200"\} \d+/)
    expect((await send(adminUrl, { path: '/other' })).status).toBe(404)
  })
})

function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk)).on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}
