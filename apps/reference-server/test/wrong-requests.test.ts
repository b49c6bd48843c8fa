import { request } from 'node:http'
import { expect, test } from 'vitest'
import { exchange } from './raw.ts'
import { basic, record, serviceFor } from './service.ts'

const service = serviceFor()

const grace = { name: 'Grace Hopper', department: 'Engineering', salary: 5000 }

test.each<[string, string, string, Record<string, string>, string, number, string, string]>([
  ['a type', 'POST', '/employees', { 'content-type': 'text/plain' }, 'x', 415, 'accept-post', 'UNSUPPORTED_MEDIA_TYPE'],
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

test.each<[string, Record<string, string>, string, string]>([
  [
    'without a type',
    {},
    'A body without Content-Type is not supported.',
    'Ein Inhalt ohne Content-Type wird nicht unterstützt.',
  ],
  [
    'with an empty type',
    { 'content-type': '' },
    'A body without Content-Type is not supported.',
    'Ein Inhalt ohne Content-Type wird nicht unterstützt.',
  ],
  [
    'with a charset',
    { 'content-type': 'application/json; charset=iso-8859-1' },
    'The charset iso-8859-1 is not supported.',
    'Der Zeichensatz iso-8859-1 wird nicht unterstützt.',
  ],
  [
    'with a malformed type',
    { 'content-type': 'json' },
    'Content-Type json is not supported.',
    'Content-Type json wird nicht unterstützt.',
  ],
])('says of a body %s why it is refused', async (_title, headers, english, german) => {
  for (const [language, sentence] of Object.entries({ en: english, de: german })) {
    const call = { as: 'ada', method: 'POST', path: '/employees', body: '{}' }
    const asked = { ...call, headers: { ...headers, 'accept-language': language } }
    const { message } = JSON.parse((await service.check(asked, { status: 415 })).text)
    expect(message).toMatch(new RegExp(`^${sentence} \\S+: application/json, `))
  }
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
  const send = async (text: string): Promise<object> => {
    const [head = '', body = ''] = (await exchange(service.url, text)).split('\r\n\r\n')
    expect(head).toMatch(/\r\nX-Correlation-ID: [0-9a-f-]{36}\r\n/)
    expect(head).toMatch(/\r\nX-Content-Type-Options: nosniff\r\n/)
    expect(Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1])).toBe(JSON.parse(body).status)
    return JSON.parse(body)
  }
  expect(await send('nonsense\r\n\r\n')).toMatchObject(record(400, 'MALFORMED_REQUEST'))
  expect(await send('BREW /tea HTTP/1.1\r\nHost: a\r\n\r\n')).toMatchObject(record(501, 'NOT_IMPLEMENTED'))
  const long = `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`
  expect(await send(long)).toMatchObject(record(431, 'HEADERS_TOO_LARGE'))
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
  await service.check({ as: 'ada', path: '/v2/Employees/1' }, { status: 301, headers: { location: '/v2/employees/1' } })
  const nested = { status: 301, headers: { location: '/orders/1/items?size=1' } }
  await service.check({ as: 'ada', path: '/Orders/1/Items/?size=1' }, nested)
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
