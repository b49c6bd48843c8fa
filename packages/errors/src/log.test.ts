import { request } from 'node:http'
import { type ClientHttp2Stream, connect, constants } from 'node:http2'
import { errors, httpError, type LogEntry } from '@svc/errors'
import { describe, expect, test, vi } from 'vitest'
import { check } from '../../internal/testing/check.ts'
import { fail, run, runHttp2, serve } from './testing/serve.ts'

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

  test('gets strings of the client without control characters', async () => {
    const { url, entries } = await serve(httpError(404), { correlationId: () => 'a\r\nb\u2028c\u001b[2J' })
    await check(url, {}, { status: 404 })
    expect(entries[0]?.correlationId).toBe('a??b?c?[2J')
  })

  test('is called once for an error that is passed twice', async () => {
    const entries: LogEntry[] = []
    const answer = errors({ onError: (entry) => void entries.push(entry) })
    const error = new Error('x')
    const running = await run((req, res) => {
      answer(error, req, res)
      answer(error, req, res)
    })
    await check(running.url, {}, { status: 500 })
    expect(entries).toHaveLength(1)
  })

  test('does not change the response if it throws or rejects, and its error is written', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    for (const onError of [() => fail('hook'), () => Promise.reject(new Error('hook'))]) {
      const { url } = await serve(new Error('original'), { onError })
      await check(url, {}, { status: 500 })
    }
    const written = write.mock.calls.map(([text]) => String(text))
    write.mockRestore()
    expect(written.map((text) => text.split('\n', 2)[1])).toEqual([
      'Error: hook',
      'Error: original',
      'Error: hook',
      'Error: original',
    ])
  })

  test('defaults to writing errors of 500 and above to standard error', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const answer = errors()
    const running = await run((req, res) => answer(req.url === '/a' ? httpError(404) : new Error('broken'), req, res))
    await check(running.url, { path: '/a' }, { status: 404 })
    await check(running.url, { path: '/b' }, { status: 500 })
    const written = write.mock.calls.map(([text]) => String(text))
    write.mockRestore()
    expect(written).toEqual([expect.stringMatching(/^\[svc:errors\] 500 GET \/b\nError: broken\n {4}at /)])
  })
})

describe('the default log', () => {
  const cause = Object.assign(new Error('Request failed'), { config: { headers: { Authorization: 'canary' } } })
  const error = Object.assign(new Error('broken', { cause }), { query: 'canary' })

  test('has the stacks of an error and of its causes, without their properties', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const answer = errors()
    const { url } = await run((req, res) => answer(error, req, res))
    await check(url, {}, { status: 500 })
    const written = write.mock.calls.map(([text]) => String(text)).join('')
    write.mockRestore()
    expect(written).toBe(`[svc:errors] 500 GET /\n${error.stack}\ncaused by ${cause.stack}\n`)
    expect(written).not.toContain('canary')
  })

  test('ends if causes are a cycle', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const cycle = new Error('cycle')
    cycle.cause = cycle
    const answer = errors()
    const { url } = await run((req, res) => answer(cycle, req, res))
    await check(url, {}, { status: 500 })
    const { calls } = write.mock
    write.mockRestore()
    expect(String(calls[0]?.[0]).match(/Error: cycle/g)).toHaveLength(10)
  })

  test('has a value that is not an error, or says that it cannot be inspected', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const hostile = Object.defineProperty(new Error('x'), 'stack', { get: () => fail('canary') })
    const answer = errors()
    const { url } = await run((req, res) => answer(req.url === '/a' ? ['x'] : hostile, req, res))
    await check(url, { path: '/a' }, { status: 500 })
    await check(url, { path: '/b' }, { status: 500 })
    const written = write.mock.calls.map(([text]) => String(text).split('\n')[1])
    write.mockRestore()
    expect(written).toEqual(["[ 'x' ]", 'an error that cannot be inspected'])
  })
})

describe('a client that disconnects', () => {
  test('gets no response, and is logged as 499', async () => {
    const { promise, resolve } = Promise.withResolvers<LogEntry>()
    const answer = errors({ onError: resolve })
    const running = await run((req, res) => {
      req.resume()
      res.once('close', () => answer(new Error('too late'), req, res))
    })
    const req = request(running.url, { method: 'POST' }).on('error', () => {})
    running.server.once('request', () => req.destroy())
    req.write('a')
    expect(await promise).toMatchObject({ status: 499, severity: 'info', method: 'POST' })
  })

  test.each<[string, (stream: ClientHttp2Stream) => void]>([
    ['cancels its stream', (stream) => stream.close(constants.NGHTTP2_CANCEL)],
    ['closes its connection', (stream) => stream.session?.destroy()],
  ])('over HTTP/2 gets no response if it %s, and is logged as 499', async (_how, leave) => {
    const { promise, resolve } = Promise.withResolvers<LogEntry>()
    const answer = errors({ onError: resolve })
    const running = await runHttp2((req, res) => {
      res.once('close', () => answer(new Error('too late'), req, res))
      leave(stream)
    })
    const stream = connect(running.url.replace('http2:', 'http:')).request()
    stream.on('error', () => {})
    expect(await promise).toMatchObject({ status: 499, severity: 'info', method: 'GET' })
  })

  test('over HTTP/2 after the response is complete does not hide an error', async () => {
    const { promise, resolve } = Promise.withResolvers<LogEntry>()
    const answer = errors({ onError: resolve })
    const running = await runHttp2((req, res) => {
      res.once('close', () => answer(new Error('after the end'), req, res))
      res.end('ok')
    })
    await check(running.url, {}, { status: 200, body: 'ok' })
    expect(await promise).toMatchObject({ status: 500, severity: 'error' })
  })
})
