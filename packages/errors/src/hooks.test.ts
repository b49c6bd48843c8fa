import { get, request } from 'node:http'
import { connect, constants, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { type ErrorsOptions, errors, httpError, type LogEntry, type Rendition, validationError } from '@svc/errors'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { check } from '../../internal/testing/check.ts'
import { listen, type RunningHost } from '../../internal/testing/hosts.ts'

const NOW = Date.UTC(2026, 10, 21, 7, 30)

let running: RunningHost | undefined
afterEach(() => running?.close())

async function serve(thrown: unknown, options: ErrorsOptions = {}): Promise<{ url: string; entries: LogEntry[] }> {
  const entries: LogEntry[] = []
  const answer = errors({ now: () => NOW, onError: (entry) => void entries.push(entry), ...options })
  running = await listen((req, res) => answer(thrown, req, res))
  return { url: running.url, entries }
}

describe('onError', () => {
  test.each([
    [httpError(404), 404, 'NOT_FOUND', 'warn'],
    [httpError(503, 'x'), 503, 'SERVICE_UNAVAILABLE', 'error'],
    [new Error('x'), 500, 'INTERNAL_ERROR', 'error'],
  ])('gets one entry for %s', async (error, status, code, severity) => {
    const { url, entries } = await serve(error, { correlationId: (req) => String(req.headers['x-correlation-id']) })
    await check(url, { path: '/a?b=c', headers: { 'x-correlation-id': 'abc' } }, { status })
    expect(entries).toEqual([
      { error, status, code, severity, method: 'GET', path: '/a', correlationId: 'abc', req: expect.anything() },
    ])
  })

  test('gets texts of the client without control characters', async () => {
    const { url, entries } = await serve(httpError(404), { correlationId: () => 'a\r\nb\u2028c\u001b[2J' })
    await check(url, {}, { status: 404 })
    expect(entries[0]?.correlationId).toBe('a??b?c?[2J')
  })

  test('is called once for an error that comes twice', async () => {
    const entries: LogEntry[] = []
    const answer = errors({ onError: (entry) => void entries.push(entry) })
    const error = new Error('x')
    running = await listen((req, res) => {
      answer(error, req, res)
      answer(error, req, res)
    })
    await check(running.url, {}, { status: 500 })
    expect(entries).toHaveLength(1)
  })

  test('changes nothing for the client when it throws or rejects, and what it threw is written', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    for (const onError of [() => fail('hook'), () => Promise.reject(new Error('hook'))]) {
      const { url } = await serve(new Error('original'), { onError })
      await check(url, {}, { status: 500 })
      await running?.close()
    }
    const written = write.mock.calls.map(([text]) => String(text))
    write.mockRestore()
    expect(written).toHaveLength(2)
    for (const text of written) expect(text).toMatch(/hook[\s\S]*original/)
  })

  test('left out, those from 500 on are written to standard error', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const answer = errors()
    running = await listen((req, res) => answer(req.url === '/a' ? httpError(404) : new Error('broken'), req, res))
    await check(running.url, { path: '/a' }, { status: 404 })
    await check(running.url, { path: '/b' }, { status: 500 })
    const written = write.mock.calls.map(([text]) => String(text))
    write.mockRestore()
    expect(written).toEqual([expect.stringMatching(/^\[svc:errors\] 500 GET \/b\nError: broken\n {4}at /)])
  })
})

describe('a client that goes away', () => {
  test('is answered by nothing, and logged as 499', async () => {
    const { promise, resolve } = Promise.withResolvers<LogEntry>()
    const answer = errors({ onError: resolve })
    running = await listen((req, res) => {
      req.resume()
      res.once('close', () => answer(new Error('too late'), req, res))
    })
    const req = request(running.url, { method: 'POST' }).on('error', () => {})
    running.server.once('request', () => req.destroy())
    req.write('a')
    expect(await promise).toMatchObject({ status: 499, severity: 'info', method: 'POST' })
  })
})

describe('mapError', () => {
  class OutOfStock extends Error {}

  test('puts another error in the place of one of yours, and the log gets the original', async () => {
    const original = new OutOfStock('canary')
    const { url, entries } = await serve(original, {
      mapError: (error) =>
        error instanceof OutOfStock ? httpError(409, 'Sold out.', { code: 'SOLD_OUT' }) : undefined,
    })
    await check(url, {}, { status: 409, body: { code: 'SOLD_OUT', message: 'Sold out.' } })
    expect(entries[0]).toMatchObject({ error: original, status: 409, code: 'SOLD_OUT' })
  })

  test('leaves what it does not know', async () => {
    const { url } = await serve(httpError(404), { mapError: () => undefined })
    await check(url, {}, { status: 404 })
  })

  test('is replaced by what it throws', async () => {
    const { url } = await serve(httpError(404), { mapError: () => fail('canary') })
    await check(url, {}, { status: 500, body: { code: 'INTERNAL_ERROR' } })
  })
})

describe('problem documents', () => {
  const accept = { accept: 'application/problem+json' }
  const id = '0190CB5E-0000-7000-8000-0000000000AB'

  test('have a type of the base and the code, and the correlation identifier as their instance', async () => {
    const { url, entries } = await serve(httpError(404, 'No.', { code: 'EMPLOYEE_NOT_FOUND' }), {
      problemBase: 'https://api.example/problems',
      correlationId: () => id,
    })
    const answer = await check(url, { path: '/a?b', headers: accept }, { status: 404 })
    const instance = `urn:uuid:${id.toLowerCase()}`
    expect(JSON.parse(answer.text)).toEqual({
      type: 'https://api.example/problems/employee-not-found',
      title: 'Not Found',
      status: 404,
      detail: 'No.',
      instance,
      code: 'EMPLOYEE_NOT_FOUND',
      timestamp: '2026-11-21T07:30:00.000Z',
      path: '/a',
    })
    expect(entries[0]?.instance).toBe(instance)
  })

  test('have an instance of their own where there is no such identifier', async () => {
    const { url } = await serve(httpError(404), { correlationId: () => 'not a UUID' })
    const instance = /"instance":"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"/
    await check(url, { headers: accept }, { body: instance })
  })

  test('point into the body by a fragment', async () => {
    const { url } = await serve(validationError([{ path: ['a', 0], message: 'bad' }]))
    await check(url, { headers: accept }, { body: { errors: [{ pointer: '#/a/0', field: 'a[0]' }] } })
  })

  test('encode what may not stand in a fragment (RFC 6901 6)', async () => {
    const { url } = await serve(validationError([{ path: ['a b', '#%ü\ud800'], message: 'bad' }]))
    await check(url, { headers: accept }, { body: { errors: [{ pointer: '#/a%20b/%23%25%C3%BC%EF%BF%BD' }] } })
  })

  test('that cannot be written are a record', async () => {
    const { url, entries } = await serve(httpError(403, 'No.', { ext: { balance: 10n } }))
    const answer = await check(url, { headers: accept }, { status: 403, body: { message: 'No.' } })
    expect(Object.keys(JSON.parse(answer.text))).toEqual(['timestamp', 'status', 'error', 'message', 'path'])
    expect(entries).toHaveLength(2)
  })
})

test('strictRecord leaves the five members that every record has', async () => {
  const { url } = await serve(validationError([{ path: ['a'], message: 'bad' }]), { strictRecord: true })
  const answer = await check(url, {}, { status: 400 })
  expect(Object.keys(JSON.parse(answer.text))).toEqual(['timestamp', 'status', 'error', 'message', 'path'])
})

describe('html', () => {
  const accept = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

  test('true gives a page that needs nothing else, with every text escaped', async () => {
    const error = validationError([{ path: ['<b>'], message: '"&\'' }], { message: '<script>alert(1)</script>' })
    const { url } = await serve(error, { html: true })
    const answer = await check(
      url,
      { path: '/%3Cimg%3E', headers: accept },
      {
        status: 400,
        headers: { 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' },
      },
    )
    expect(answer.text).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(answer.text).toContain('<h1>400 Bad Request</h1>\n<p>&#60;script&#62;alert(1)&#60;/script&#62;</p>')
    expect(answer.text).toContain('<strong>&#60;b&#62;</strong>: &#34;&#38;&#39;')
    expect(answer.text).not.toContain('<script')
  })

  test.each([
    ['a text', (): string => '<p>mine</p>'],
    ['a promise', async (): Promise<string> => '<p>mine</p>'],
  ])('of a function is its page: %s', async (_name, html) => {
    const { url } = await serve(httpError(404), { html })
    await check(
      url,
      { headers: accept },
      { status: 404, headers: { 'cache-control': 'no-store' }, body: '<p>mine</p>' },
    )
    await check(url, {}, { status: 404, body: { status: 404 } })
  })

  test.each([
    ['throws', () => fail('canary')],
    ['rejects', () => Promise.reject(new Error('canary'))],
    ['gives no text', () => 7 as unknown as string],
    ['promises no text', async () => ({ canary: 1 }) as unknown as string],
  ])('of a function that %s is the plain page, and both errors are logged', async (_name, html) => {
    const { url, entries } = await serve(httpError(404), { html })
    const answer = await check(url, { headers: accept }, { status: 404, body: /<h1>404 Not Found<\/h1>/ })
    expect(answer.text).not.toContain('canary')
    expect(entries.map((entry) => entry.severity)).toEqual(['warn', 'error'])
  })
})

describe('render', () => {
  const fault: ErrorsOptions['render'] = ({ record, facts, req }) =>
    req.url?.startsWith('/ws')
      ? {
          contentType: 'application/soap+xml; charset=utf-8',
          body: `<Fault><Text>${record.message}</Text></Fault>`,
          status: facts.status === 429 || facts.status === 503 ? facts.status : facts.status < 500 ? 400 : 500,
          headers: { 'X-Fault': 'yes' },
        }
      : undefined

  test('answers the same error in a shape of its own, with the fields of the error', async () => {
    const { url } = await serve(httpError(409, 'Taken.', { retryAfter: 3 }), { render: fault })
    await check(
      url,
      { path: '/ws/customer', headers: { accept: 'application/json' } },
      {
        status: 400,
        headers: { 'content-type': 'application/soap+xml; charset=utf-8', 'retry-after': '3', 'x-fault': 'yes' },
        body: '<Fault><Text>Taken.</Text></Fault>',
      },
    )
    await check(url, { path: '/employees' }, { status: 409, body: { message: 'Taken.' } })
  })

  test('may take its time, and may give bytes', async () => {
    const { url } = await serve(httpError(409), {
      render: async () => ({ contentType: 'image/x', body: new Uint8Array([1, 2]) }),
    })
    expect([...(await check(url, {}, { status: 409 })).body]).toEqual([1, 2])
  })

  test('that throws, rejects or gives what cannot be sent leaves the error to the others', async () => {
    const renderers: ErrorsOptions['render'][] = [
      () => fail('canary'),
      () => Promise.reject(new Error('canary')),
      () => ({ body: 'canary' }) as unknown as Rendition,
      async () => ({ contentType: 'text/x', body: 7 as unknown as string }),
    ]
    for (const render of renderers) {
      const { url, entries } = await serve(httpError(409), { render: render ?? (() => undefined) })
      await check(url, {}, { status: 409, body: { status: 409 } })
      expect(entries).toHaveLength(2)
      await running?.close()
    }
  })
})

describe('localize', () => {
  const german: Record<string, string> = { OUT_OF_CREDIT: 'Ihr Guthaben ist {balance}.', REQUIRED: 'fehlt' }
  const localize: ErrorsOptions['localize'] = (code, language, params) =>
    language === 'de' ? german[code]?.replace('{balance}', String(params['balance'])) : undefined
  const error = httpError(403, 'Your balance is 3.', {
    code: 'OUT_OF_CREDIT',
    params: { balance: 3 },
    errors: [{ pointer: '/a', location: 'body', field: 'a', code: 'REQUIRED', detail: 'is required' }],
  })

  test.each([
    ['de-AT, en;q=0.5', 'de', 'Ihr Guthaben ist 3.', 'fehlt'],
    ['en', 'en', 'Your balance is 3.', 'is required'],
    ['fr', 'en', 'Your balance is 3.', 'is required'],
  ])('speaks to Accept-Language %s in %s', async (language, chosen, message, detail) => {
    const { url } = await serve(error, { localize, languages: ['en', 'de'] })
    await check(
      url,
      { headers: { 'accept-language': language } },
      {
        headers: { 'content-language': chosen, vary: 'Accept, Accept-Language' },
        body: { message, errors: [{ detail }] },
      },
    )
  })

  test('takes the language of the application', async () => {
    const { url } = await serve(error, { localize, languages: () => 'de' })
    await check(url, {}, { headers: { 'content-language': 'de' }, body: { message: 'Ihr Guthaben ist 3.' } })
  })

  test('names the language in the page', async () => {
    const { url } = await serve(error, { localize, languages: ['de'], html: true })
    await check(url, { headers: { accept: 'text/html' } }, { body: /<html lang="de">[\s\S]*Ihr Guthaben/ })
  })

  test.each<[string, ErrorsOptions]>([
    ['throws', { localize: () => fail('canary') }],
    ['is asked for what is no language', { localize, languages: () => 'de\r\nX: y' }],
    ['is asked for nothing', { localize, languages: () => undefined as unknown as string }],
  ])('that %s leaves the text as it is', async (_name, options) => {
    const { url } = await serve(error, options)
    await check(url, {}, { status: 403, headers: { 'content-language': undefined }, body: { message: error.message } })
  })
})

test('a clock that fails is passed over', async () => {
  const { url } = await serve(httpError(404), { now: () => Number.NaN })
  await check(url, {}, { status: 404, body: { timestamp: expect.stringMatching(/^20\d\d-/) } })
})

test('a listener of the response that throws costs the connection, not the process', async () => {
  const answer = errors({ onError: () => {} })
  running = await listen((req: IncomingMessage, res: ServerResponse) => {
    res.setHeader = () => fail('canary')
    answer(httpError(404), req, res)
  })
  await expect(check(running.url, {}, {})).rejects.toThrow(/hang up|reset/)
})

test('several challenges are several fields (RFC 9110 11.6.1)', async () => {
  const challenges = ['Bearer realm="svc"', 'Basic realm="svc", charset="UTF-8"']
  const { url } = await serve(httpError(401, undefined, { headers: { 'WWW-Authenticate': challenges } }))
  const raw = await new Promise<string[]>((resolve) => {
    get(url, (res) => resolve(res.resume().rawHeaders))
  })
  expect(raw.filter((_text, at) => raw[at - 1] === 'WWW-Authenticate')).toEqual(challenges)
})

test('an error says itself how long it may be kept', async () => {
  const { url } = await serve(httpError(410, undefined, { headers: { 'Cache-Control': 'max-age=60' } }))
  await check(url, {}, { status: 410, headers: { 'cache-control': 'max-age=60' } })
})

describe('HTTP/2', () => {
  async function ask(listener: (req: IncomingMessage, res: ServerResponse) => void): Promise<unknown[]> {
    const server = createServer((req, res) => listener(req as never, res as never))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    try {
      const stream = session.request({ ':path': '/a?b' })
      let status: unknown
      let text = ''
      stream.on('response', (headers) => {
        status = headers[':status']
      })
      stream
        .on('error', () => {})
        .on('data', (chunk) => {
          text += chunk
        })
      await new Promise((resolve) => stream.once('close', resolve))
      return [status, text, stream.rstCode]
    } finally {
      session.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
  const answer = errors({ onError: () => {} })

  test('gets the same answer', async () => {
    const [status, text, reset] = await ask((req, res) => answer(httpError(413), req, res))
    expect([status, reset]).toEqual([413, constants.NGHTTP2_NO_ERROR])
    expect(JSON.parse(String(text))).toMatchObject({ error: 'Content Too Large', path: '/a' })
  })

  test('has its stream cut, not a second body', async () => {
    const half = await ask((req, res) => res.write('half', () => answer(httpError(413), req, res)))
    expect(half).toEqual([200, 'half', constants.NGHTTP2_INTERNAL_ERROR])
  })
})

describe('options that cannot work', () => {
  test.each<[unknown, string]>([
    [{ langauges: ['en'] }, 'errors: unknown option "langauges", did you mean "languages"?'],
    [{ html: 'yes' }, 'errors: html must be true, false or a function, got "yes"'],
    [{ problemBase: '/problems' }, 'errors: problemBase must be an absolute URI, got "/problems"'],
    [{ onError: 'log' }, 'errors: onError must be a function, got "log"'],
    [{ languages: [] }, 'errors: languages must be a list of language tags or a function, got an array'],
    [{ languages: 'en' }, 'errors: languages must be a list of language tags or a function, got "en"'],
    [{ strictRecord: 1 }, 'errors: strictRecord must be true or false, got 1'],
  ])('%j are refused', (options, message) => {
    expect(() => errors(options as ErrorsOptions)).toThrow(new TypeError(message))
  })
})

function fail(message: string): never {
  throw new Error(message)
}
