import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Reply, type RequestState, requestStateOf, type Stage } from '../engine/request-state.ts'
import { fromMiddleware, isHandedOver, onPaths, type PipelineOptions, pipeline, withDeadline } from './pipeline.ts'

let server: Server | undefined
afterEach(() => server?.close())

/** Sends one request through a pipeline; what goes to `next` becomes the body of a 500 or a 404. */
async function send(options: PipelineOptions, path = '/', init?: RequestInit): Promise<Response> {
  const handle = pipeline(options)
  server = createServer((req, res) =>
    handle(req, res, (error) => res.writeHead(error === undefined ? 404 : 500).end(String(error))),
  )
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { redirect: 'manual', ...init })
}

const text = (body: string): Reply => ({ representation: { type: 'text/plain', body } })
const never: Stage = () => {
  throw new Error('must not run')
}
const waits = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(resolve, value))

// First in this file: connections of requests have timers too.
describe('withDeadline', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const later = <T>(milliseconds: number, value: T): Promise<T> =>
    new Promise((resolve) => setTimeout(resolve, milliseconds, value))

  test('gives what is done in time, and leaves no timer behind', async () => {
    const result = withDeadline(100, () => later(99, 'done'))
    await vi.advanceTimersByTimeAsync(99)
    await expect(result).resolves.toBe('done')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('refuses what is late, and what is late cannot commit', async () => {
    let isCommitted = false
    let failure: unknown
    const work = async (lift: () => void): Promise<void> => {
      await later(101, undefined)
      try {
        lift()
        isCommitted = true
      } catch (error) {
        failure = error
      }
    }
    const result = withDeadline(100, work)
    const refused = expect(result).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
    await vi.advanceTimersByTimeAsync(200)
    await refused
    expect(failure).toMatchObject({ status: 503 })
    expect(isCommitted).toBe(false)
  })

  test('waits for what commits in time, however long that takes', async () => {
    const result = withDeadline(100, async (lift) => {
      await later(99, undefined)
      lift()
      return later(60_000, 'committed')
    })
    await vi.advanceTimersByTimeAsync(60_099)
    await expect(result).resolves.toBe('committed')
  })

  test('gives the failure of the work', async () => {
    await expect(withDeadline(100, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('pipeline', () => {
  test.each<[string, Stage]>([
    ['in the same tick', () => text('sent')],
    ['after waiting', () => waits(text('sent'))],
  ])('sends the first reply, %s, and runs no stage behind it', async (_title, stage) => {
    const response = await send({ headers: { 'X-Own': '1' }, stages: [() => undefined, stage, never] })
    expect([response.status, await response.text(), response.headers.get('x-own')]).toEqual([200, 'sent', '1'])
    expect(response.headers.get('etag')).not.toBeNull()
  })

  test('runs every stage with the same state, in order, whether or not they wait', async () => {
    const seen: [string, RequestState][] = []
    const note =
      (name: string, value: unknown): Stage =>
      (state) => {
        seen.push([name, state])
        return value as undefined
      }
    const stages = [note('a', undefined), note('b', waits(undefined)), note('c', undefined), () => text('end')]
    await send({ stages })
    expect(seen.map(([name]) => name)).toEqual(['a', 'b', 'c'])
    expect(new Set(seen.map(([, state]) => state)).size).toBe(1)
  })

  test.each<[string, Stage]>([
    ['throws', never],
    ['rejects', () => Promise.reject(new Error('must not run'))],
  ])('passes the error of a stage that %s to next', async (_title, stage) => {
    const response = await send({ stages: [stage, () => text('late')] })
    expect([response.status, await response.text()]).toEqual([500, 'Error: must not run'])
  })

  test.each<[string, Stage]>([
    ['throws', never],
    ['rejects', () => Promise.reject(new Error('must not run'))],
    ['returns', () => ({ error: new Error('must not run') })],
  ])('passes the error that a stage %s to the error handler, if it has one', async (_title, stage) => {
    const response = await send({
      stages: [stage, () => text('late')],
      onError: (error, req, res) => void res.writeHead(418).end(`${req.url} ${error}`),
    })
    expect([response.status, await response.text()]).toEqual([418, '/ Error: must not run'])
  })

  test.each<[string, string, Stage]>([
    ['GET', 'in the same tick', () => text('sent')],
    ['GET', 'after waiting', () => waits(text('sent'))],
    ['POST', 'in the same tick', () => text('sent')],
    ['POST', 'after waiting', () => waits(text('sent'))],
  ])('passes the error of an observer to next: %s, a reply %s', async (method, _title, stage) => {
    const errors: unknown[] = []
    const observer = (): never => {
      throw new Error('observed')
    }
    const handle = pipeline({ stages: [stage], observers: [observer] })
    server = createServer((req, res) => {
      try {
        handle(req, res, (error) => errors.push(error))
      } catch (error) {
        errors.push(error) // as Express does
      }
    })
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}/`, { method, ...(method === 'POST' && { body: 'x' }) })
    expect(await response.text()).toBe('sent')
    await expect.poll(() => errors).toEqual([new Error('observed')])
  })

  test('calls next if no stage responds', async () => {
    expect((await send({ stages: [() => undefined] })).status).toBe(404)
  })

  test('sends a head without content and without conditions', async () => {
    const stages: Stage[] = [() => ({ status: 301, headers: { Location: '/there' } })]
    const response = await send({ headers: { 'X-Own': '1' }, stages }, '/', { headers: { 'if-match': '"1"' } })
    expect([response.status, response.headers.get('location'), response.headers.get('x-own')]).toEqual([
      301,
      '/there',
      '1',
    ])
  })

  test('joins the Link of a stage with that of a representation', async () => {
    const stages: Stage[] = [
      ({ added }) => {
        added['Link'] = '</v2/>; rel="successor-version"'
        return undefined
      },
      () => ({ representation: { type: 'text/plain', body: 'x', headers: { Link: '</?page=1>; rel="next"' } } }),
    ]
    const response = await send({ stages })
    expect(response.headers.get('link')).toBe('</v2/>; rel="successor-version", </?page=1>; rel="next"')
  })

  test.each<[string, Stage]>([
    ['in the same tick', () => text('sent')],
    ['later', () => waits(text('sent'))],
    ['with an error', never],
  ])('calls the observers once for a response that is sent %s', async (_title, stage) => {
    const seen: number[] = []
    const isOver = new Promise<void>((resolve) => {
      const observe = ({ res }: RequestState): void => {
        seen.push(res.statusCode)
        setImmediate(resolve)
      }
      void send({ stages: [stage], observers: [observe] })
    })
    await isOver
    expect(seen).toEqual([stage === never ? 500 : 200])
  })

  test.each<[string, Stage, boolean]>([
    ['in the tick of a response that the kernel took at once', () => text('sent'), true],
    ['later if the response waits', () => waits(text('sent')), false],
    ['later if the response is too large for the kernel', () => text('large'.repeat(10_000_000)), false],
  ])('calls the observers %s', async (_title, stage, isAtOnce) => {
    let calls = 0
    let callsInTick = 0
    const handle = pipeline({ stages: [stage], observers: [({ res }) => void (calls += isHandedOver(res) ? 1 : 2)] })
    server = createServer((req, res) => {
      handle(req, res, () => {})
      callsInTick = calls
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).arrayBuffer()
    await expect.poll(() => calls).toBe(isAtOnce ? 1 : 2)
    expect(callsInTick).toBe(isAtOnce ? 1 : 0)
  })

  test('calls the observers when the client disconnects before the response', async () => {
    const abort = new AbortController()
    const isFinished = new Promise<boolean>((resolve) => {
      const stages: Stage[] = [
        () => {
          abort.abort()
          return new Promise(() => {})
        },
      ]
      const observers = [({ res }: RequestState): void => resolve(res.writableFinished)]
      send({ stages, observers }, '/', { signal: abort.signal }).catch(() => {})
    })
    expect(await isFinished).toBe(false)
  })
})

describe('fromMiddleware', () => {
  test.each([
    ['at once', (next: () => void) => next()],
    ['later', (next: () => void) => void setImmediate(next)],
  ])('continues when the middleware calls next %s', async (_title, call) => {
    const response = await send({ stages: [fromMiddleware((_req, _res, next) => call(next)), () => text('sent')] })
    expect(await response.text()).toBe('sent')
  })

  test.each([
    ['at once', (next: (error: unknown) => void) => next('refused')],
    ['later', (next: (error: unknown) => void) => void setImmediate(next, 'refused')],
  ])('rejects the request with an error that is passed to next %s', async (_title, call) => {
    const response = await send({ stages: [fromMiddleware((_req, _res, next) => call(next)), never] })
    expect([response.status, await response.text()]).toEqual([500, 'refused'])
  })

  test('runs no stage behind middleware that ends the response', async () => {
    const response = await send({ stages: [fromMiddleware((_req, res) => void res.end('own')), never] })
    expect(await response.text()).toBe('own')
  })
})

test('onPaths runs its stages for its paths only', async () => {
  const stages = [onPaths(new Set(['/here']), [() => undefined, () => text('here')]), () => text('elsewhere')]
  expect(await (await send({ stages }, '/here')).text()).toBe('here')
  server?.close()
  expect(await (await send({ stages }, '/there')).text()).toBe('elsewhere')
})

test.each(['/ws/one', '/ws/two', '/ws/', '/ws/three', '/w'])('onPaths compares the whole path %s', async (path) => {
  const stages = [onPaths(new Set(['/ws/one', '/ws/two']), [() => text('here')]), () => text('elsewhere')]
  const isHere = path === '/ws/one' || path === '/ws/two'
  expect(await (await send({ stages }, path)).text()).toBe(isHere ? 'here' : 'elsewhere')
})

test('requestStateOf rejects a request that has not entered a pipeline', () => {
  expect(() => requestStateOf({})).toThrow('the request has not entered the pipeline')
})
