import { describe, expect, test } from 'vitest'
import { exchange, type RawResponse, splitResponses } from './raw.ts'
import { basic, record, serviceFor } from './service.ts'

const service = serviceFor()

const ADA = `Authorization: ${basic('ada')}\r\n`
const HOST = 'Host: localhost\r\n'
const CLOSE = 'Connection: close\r\n'

async function send(text: string): Promise<RawResponse[]> {
  return splitResponses(await exchange(service.url, text))
}

function create(name: string, extraLength = 0): string {
  const body = JSON.stringify({ name, department: 'Sales', salary: 1 })
  const headers = `${HOST}${ADA}Content-Type: application/json\r\nContent-Length: ${body.length + extraLength}\r\n`
  return `POST /employees HTTP/1.1\r\n${headers}\r\n${body}`
}

async function countEmployees(name: string): Promise<number> {
  const { text } = await service.check({ as: 'ada', path: `/employees?name=${name}` }, { status: 200 })
  return JSON.parse(text).page.totalElements
}

describe('pipelined requests', () => {
  test('1-3 bytes that are not HTTP get a response after that of the request before them', async () => {
    const [created, rejected, ...more] = await send(`${create('Lost')}FOO /x?y HTTP/1.1\r\n${HOST}\r\n`)
    expect(created?.status).toBe(201)
    expect(await countEmployees('Lost')).toBe(1)
    expect(rejected?.status).toBe(501)
    expect(JSON.parse(rejected?.body ?? '')).toMatchObject(record(501, 'NOT_IMPLEMENTED', '/x'))
    expect(rejected?.head).toMatch(/\r\nConnection: close(?:\r\n|$)/)
    expect(more).toEqual([])
  })

  test('a Content-Length that is too short truncates the JSON, and the rest is not a request', async () => {
    const [truncated, rejected, ...more] = await send(create('Short', -10))
    expect(JSON.parse(truncated?.body ?? '')).toMatchObject(record(400, 'MALFORMED_BODY', '/employees'))
    expect(JSON.parse(rejected?.body ?? '')).toMatchObject(record(400, 'MALFORMED_REQUEST'))
    expect(more).toEqual([])
  })

  test('are answered in their order, and a change is seen by what follows it', async () => {
    const list = `GET /employees?name=Order&fields=id HTTP/1.1\r\n${HOST}${ADA}\r\n`
    const last = list.replace(HOST, HOST + CLOSE)
    const responses = await send(list + create('Order') + list + create('Order') + last)
    expect(responses.map(({ status }) => status)).toEqual([200, 201, 200, 201, 200])
    const counts = [0, 2, 4].map((index) => JSON.parse(responses[index]?.body ?? '').page.totalElements)
    expect(counts).toEqual([0, 1, 2])
  })

  test('what follows Connection: close is neither handled nor answered', async () => {
    const [only, ...more] = await send(create('Last').replace(HOST, HOST + CLOSE) + create('Never'))
    expect([only?.status, more]).toEqual([201, []])
    expect(await countEmployees('Never')).toBe(0)
  })
})

describe('an error in the body of a request', () => {
  test.each([
    ['a bad chunk', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['an unknown Transfer-Encoding', 'Transfer-Encoding: gzip\r\n\r\nx'],
  ])('is answered immediately: %s', async (_title, rest) => {
    const headers = `${HOST}${ADA}Content-Type: application/json\r\n`
    const [rejected, ...more] = await send(`POST /employees?x=1 HTTP/1.1\r\n${headers}${rest}`)
    expect(JSON.parse(rejected?.body ?? '')).toMatchObject(record(400, 'MALFORMED_REQUEST', '/employees'))
    expect(more).toEqual([])
  })

  test('brings no second response when there was an early one', async () => {
    const responses = await send(
      `POST /employees HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n`,
    )
    expect(responses.length).toBe(1)
  })
})

describe('records of the parser', () => {
  const long = 'x'.repeat(40_000)
  test.each([
    [431, `GET /employees/1?a=b HTTP/1.1\r\n${HOST}X: ${long}\r\n\r\n`, '/employees/1'],
    [431, `GET http://localhost/employees/1 HTTP/1.1\r\n${HOST}X: ${long}\r\n\r\n`, '/employees/1'],
    [400, `GET /a HTTP/1.1\r\n${HOST}bad\r\n\r\n`, '/a'],
    [400, `GET /a HTTP/1.1\r\n${HOST}Via: GET /b HTTP/1.1\r\nbad\r\n\r\n`, '/a'],
    [400, `GET /a HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, '/a'],
    [501, `BREW /tea?milk HTTP/1.1\r\n${HOST}\r\n`, '/tea'],
    [400, 'nonsense\r\n\r\n', ''],
    [400, `GET /a HTTP/9.9\r\n${HOST}\r\n`, ''],
  ])('have the path if the request line was read: %i for %.60s', async (status, text, path) => {
    const [rejected, ...more] = await send(text)
    expect(JSON.parse(rejected?.body ?? '')).toMatchObject({ status, path })
    expect(rejected?.head).toMatch(/\r\nDate: [^\r]+ GMT\r\n/)
    expect(rejected?.head).toMatch(/\r\nAccess-Control-Allow-Origin: \*\r\n/)
    expect(more).toEqual([])
  })

  test('have no path of the request before', async () => {
    const [, rejected] = await send(`GET /health HTTP/1.1\r\n${HOST}\r\nGET /a HTTP/9.9\r\n${HOST}\r\n`)
    expect(JSON.parse(rejected?.body ?? '')).toMatchObject(record(400, 'MALFORMED_REQUEST', ''))
  })
})

describe('the Host header', () => {
  const get = (headers: string, target = '/health'): Promise<RawResponse[]> =>
    send(`GET ${target} HTTP/1.1\r\n${headers}${CLOSE}\r\n`)

  test.each([
    ['none', ''],
    ['two', HOST + HOST],
    ['two different', `${HOST}host: other.example\r\n`],
    ...['a b', 'a/b', 'a@b', 'a:port', '[::1', 'a:1:2', 'http://a', 'a%zz'].map((host) => [host, `Host: ${host}\r\n`]),
  ])('4.3-host is exactly one valid value, or 400: %s', async (_title, headers) => {
    for (const target of ['/health', 'http://localhost/health']) {
      const [rejected] = await get(headers as string, target)
      expect(JSON.parse(rejected?.body ?? '')).toMatchObject(record(400, 'MALFORMED_HOST', '/health'))
    }
  })

  test.each([
    [200, 'localhost:3000'],
    [200, '[::1]:3000'],
    [200, '127.0.0.1'],
    [200, 'svc.localhost:'],
    [421, 'evil.example'],
    [421, 'evil.example:3000'],
    [421, 'xn--bcher-kva.example'],
    [421, 'a%20b'],
    [421, 'a,b'],
    [421, '[2001:db8::1]'],
  ])('4.3-host that is valid returns %i: %s', async (status, host) => {
    expect((await get(`Host: ${host}\r\n`))[0]?.status).toBe(status)
  })

  test('4.3-host is not needed in HTTP/1.0', async () => {
    for (const target of ['/health', 'http://localhost/health'])
      expect((await send(`GET ${target} HTTP/1.0\r\n\r\n`))[0]?.status).toBe(200)
  })
})

describe('request targets', () => {
  const get = async (target: string, headers = HOST): Promise<RawResponse> => {
    const [response] = await send(`GET ${target} HTTP/1.1\r\n${headers}${ADA}${CLOSE}\r\n`)
    return response as RawResponse
  }

  test('1-3 the absolute form is accepted, and its authority replaces Host', async () => {
    const plain = await get('/employees/1')
    for (const target of ['http://localhost:3000/employees/1', 'HTTP://LOCALHOST/employees/1'])
      for (const headers of [HOST, 'Host: evil.example\r\n'])
        expect(await get(target, headers)).toMatchObject({ status: 200, body: plain.body })
    expect((await get('http://evil.example/employees/1')).status).toBe(421)
    for (const target of ['http://localhost', 'http://localhost?x=1']) expect((await get(target)).status).toBe(200)
    expect((await get('http://localhost/ws/customer?wsdl')).status).toBe(200)
    const { body } = await get('http://localhost/nothing?x=1')
    expect(JSON.parse(body)).toMatchObject(record(404, 'ROUTE_NOT_FOUND', '/nothing'))
  })

  test.each([
    ['http://user@localhost/health', 'MALFORMED_HOST'],
    ['http://local host/health', 'MALFORMED_REQUEST'],
    ['http:///health', 'MALFORMED_URI'],
    ['ftp://localhost/health', 'MALFORMED_URI'],
    ['*', 'MALFORMED_URI'],
    ['*health', 'MALFORMED_URI'],
  ])('that are not a path or an http URL are 400: %s', async (target, code) => {
    expect(JSON.parse((await get(target)).body)).toMatchObject({ status: 400, code })
  })

  test('OPTIONS * is for the server as a whole, also in absolute form', async () => {
    for (const target of ['*', 'http://localhost'])
      expect((await send(`OPTIONS ${target} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`))[0]?.status).toBe(204)
  })

  test.each([
    ['/%65mployees/1', 200],
    ['/%65mployees/%31', 200],
    ['/%76%32/employees/1', 200],
    ['/%77s/customer?wsdl', 200],
    ['/products/%7e', 404],
    ['/employees%2F1', 404],
    ['/%2e%2e/employees/1', 404],
    ['/employees/%', 400],
    ['/employees/%00', 400],
  ])('with encoded unreserved characters are the same URI: %s', async (target, status) => {
    expect((await get(target)).status).toBe(status)
  })
})

test('rejects an unknown expectation with 417 and the Error record', async () => {
  const [rejected] = await send(`GET /employees HTTP/1.1\r\n${HOST}Expect: foo\r\n${CLOSE}\r\n`)
  expect(JSON.parse(rejected?.body ?? '')).toMatchObject(record(417, 'EXPECTATION_FAILED', '/employees'))
  expect((await send(`GET /health HTTP/1.0\r\nExpect: foo\r\n\r\n`))[0]?.status).toBe(200)
})
