import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { type Representation, sendRepresentation } from '@svc/negotiate'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { check, type RequestLiteral } from '../../internal/testing/check.ts'
import { hosts, listen, type Pipeline, type RunningHost } from '../../internal/testing/hosts.ts'

const uncaught = vi.fn()
beforeEach(() => {
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  uncaught.mockClear()
  process.on('uncaughtException', uncaught)
})
afterEach(() => {
  process.off('uncaughtException', uncaught)
  expect(uncaught.mock.calls).toEqual([])
})

const type = 'text/plain'
const BAD_FIELD = { 'X-Name': 'a\r\nSet-Cookie: b' }

const failing: Record<string, Representation> = {
  'a body of null': { type, body: () => null as never },
  'a promised body of null': { type, body: () => Promise.resolve(null as never) },
  'a promised object': { type, body: () => Promise.resolve({ a: 1 } as never) },
  'a field that node refuses': { type, headers: BAD_FIELD, body: () => Promise.resolve('a') },
  'a field that node refuses, with a large body': { type, headers: BAD_FIELD, body: 'large '.repeat(20_000) },
  'a field that node refuses, with a stream': { type, headers: BAD_FIELD, body: () => Readable.from(['a']) },
  'a stream that was destroyed': { type, body: () => Readable.from(['a']).destroy() },
  'a stream that closes before its first byte': {
    type,
    body: () => {
      const stream = new Readable({ read: () => {} })
      setImmediate(() => stream.destroy())
      return stream
    },
  },
  'an error of an HTTP client': {
    type,
    body: () => Promise.reject(Object.assign(new Error('secret'), { status: 404, code: 'ERR_BAD_REQUEST' })),
  },
}

let running: RunningHost | undefined
afterEach(() => running?.close())

describe.each(Object.keys(hosts))('a representation that cannot be sent on %s', (name) => {
  test.each(Object.keys(failing))('returns 500 to %s, and does not end the process', async (what) => {
    running = await listen(
      (hosts[name] as (typeof hosts)[string])({
        middlewares: [],
        handler: (req, res) => sendRepresentation(req, res, failing[what] ?? {}),
      }),
    )
    await check(
      running.url,
      { headers: { 'accept-encoding': 'gzip' } },
      { status: 500, headers: { 'set-cookie': undefined }, body: { message: expect.not.stringContaining('secret') } },
    )
  })

  test.each<[number, RequestLiteral]>([
    [500, { method: 'HEAD' }],
    [304, { headers: { 'if-none-match': '*' } }],
    [406, { headers: { 'accept-encoding': '*;q=0' } }],
  ])('returns %i to %j although a file that is not sent cannot be opened', async (status, literal) => {
    let body: Readable | undefined
    const handler: Pipeline['handler'] = (req, res) => {
      body = createReadStream('/nowhere/at/all')
      sendRepresentation(req, res, { type, version: 1, body })
    }
    running = await listen((hosts[name] as (typeof hosts)[string])({ middlewares: [], handler }))
    await check(running.url, literal, { status })
    await expect.poll(() => body?.closed).toBe(true)
  })
})

test('destroys a stream if the client disconnects before its first byte, or before it is created', async () => {
  const streams: Readable[] = []
  const made = (): Readable => {
    const stream = new Readable({ read: () => {}, destroy: (_error, done) => done(new Error('not closed')) })
    streams.push(stream)
    return stream
  }
  const closed: Promise<unknown>[] = []
  running = await listen((req, res) => {
    const gone = new Promise((resolve) => res.once('close', resolve))
    closed.push(gone)
    sendRepresentation(req, res, { type, body: req.url === '/late' ? () => gone.then(made) : made })
  })
  for (const path of ['/early', '/late']) {
    const leave = new AbortController()
    const answer = fetch(running.url + path, { signal: leave.signal })
    await expect.poll(() => closed.length).toBe(path === '/early' ? 1 : 2)
    leave.abort()
    await expect(answer).rejects.toThrow()
    await closed.at(-1)
  }
  await expect.poll(() => streams.map(({ closed }) => closed)).toEqual([true, true])
})
