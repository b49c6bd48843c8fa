import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, get, IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { clientIp, rateLimit as createLimiter, memoryStore, type RateLimitOptions, rateLimitOf } from '@svc/ratelimit'
import { rateLimit } from '@svc/ratelimit/express-rate-limit'
import express from 'express'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { send } from '../../internal/testing/check.ts'
import { listen } from '../../internal/testing/hosts.ts'

const warned: string[] = []
beforeEach(() => {
  warned.length = 0
  delete (globalThis as Record<symbol, unknown>)[Symbol.for('svc.warned')]
  vi.spyOn(process, 'emitWarning').mockImplementation(((message: string, { code, type }: Record<string, string>) => {
    expect(message).not.toContain('\n')
    expect(type).toBe('SvcWarning')
    warned.push(code ?? '')
  }) as never)
})
afterEach(() => void vi.restoreAllMocks())

async function visit(options: RateLimitOptions, trustProxy: unknown, headers: Record<string, string>): Promise<void> {
  const app = express()
  if (trustProxy !== undefined) app.set('trust proxy', trustProxy)
  app.use(createLimiter(options), (_req, res) => void res.end())
  const host = await listen(app)
  for (let request = 0; request < 3; request++) await send(host.url, { headers })
  await host.close()
}

const forwarded = { 'x-forwarded-for': '203.0.113.7' }

describe('warns in one line, once', () => {
  test.each<{ what: string; options?: object; trust?: unknown; headers?: Record<string, string>; codes: string[] }>([
    { what: 'X-Forwarded-For and no trust', headers: forwarded, codes: ['WRN_RATELIMIT_PROXY_UNTRUSTED'] },
    { what: 'a trust that is true', trust: true, headers: forwarded, codes: ['WRN_RATELIMIT_PROXY_PERMISSIVE'] },
    { what: 'a trust of one hop', trust: 1, headers: forwarded, codes: [] },
    { what: 'a trust of loopback', trust: 'loopback', headers: forwarded, codes: [] },
    { what: 'trustProxy', options: { trustProxy: ['127.0.0.1'] }, headers: forwarded, codes: [] },
    { what: 'trustProxy: 0', options: { trustProxy: 0 }, headers: forwarded, codes: [] },
    { what: 'no proxy at all', codes: [] },
    { what: 'warnings: false', options: { warnings: false }, headers: forwarded, codes: [] },
    {
      what: 'that code switched off',
      options: { warnings: { WRN_RATELIMIT_PROXY_UNTRUSTED: false } },
      headers: forwarded,
      codes: [],
    },
  ])('warns about $what: $codes', async ({ options, trust, headers = {}, codes }) => {
    await visit({ rate: '100/m', ...options }, trust, headers)
    expect(warned).toEqual(codes)
  })

  test('warns about windows that look like seconds', () => {
    createLimiter({ rate: { limit: 5, windowMs: 10 } })
    createLimiter({ rate: { limit: 5, windowMs: 15 } })
    expect(warned).toEqual(['WRN_RATELIMIT_TINY_WINDOW'])
    rateLimit({ windowMs: 60 })
    createLimiter('5/250ms')
    expect(warned).toHaveLength(1)
  })

  test('warns about two limiters that count together without a group', () => {
    const store = memoryStore()
    createLimiter({ rate: '5/m', store })
    createLimiter({ rate: '9/m', store })
    expect(warned).toEqual([])
    createLimiter({ rate: '5/m', store })
    expect(warned).toEqual(['WRN_RATELIMIT_STORE_SHARED'])
    delete (globalThis as Record<symbol, unknown>)[Symbol.for('svc.warned')]
    for (let time = 0; time < 2; time++) createLimiter({ rate: '5/m', store, group: 'both' })
    expect(warned).toHaveLength(1)
  })
})

test('warns about a limiter that is mounted twice, not about two limiters', async () => {
  const app = express()
  const limiter = createLimiter('9/m')
  app.use(limiter, createLimiter({ rate: '9/m' }))
  app.use('/twice', limiter)
  app.use((_req, res) => void res.end())
  const host = await listen(app)
  await send(host.url)
  expect(warned).toEqual([])
  for (let request = 0; request < 2; request++) await send(host.url, { path: '/twice' })
  expect(warned).toEqual(['WRN_RATELIMIT_DOUBLE_COUNT'])
  await host.close()
})

test('warns about limiters that are created for each request, not about others', () => {
  const visitAll = (limiterFor: (visit: number) => ReturnType<typeof createLimiter>): void => {
    for (let visit = 0; visit < 300; visit++) {
      const res = new ServerResponse(new IncomingMessage(new Socket()))
      limiterFor(visit)(res.req, res, () => {})
    }
  }
  const options = { rate: '5/7m', trustProxy: 0, by: 'global' } as const
  const [once, store] = [createLimiter(options), memoryStore()]
  visitAll(() => once)
  visitAll(() => createLimiter({ ...options, store, group: 'shared' }))
  visitAll((visit) => createLimiter({ ...options, group: `route ${visit}` }))
  expect(warned).toEqual([])
  visitAll(() => createLimiter(options))
  expect(warned).toEqual(['WRN_RATELIMIT_CREATED_PER_REQUEST'])
})

test('counts connections without an address as one client, with a warning', () => {
  const limiter = createLimiter('1/m')
  const codes: unknown[] = []
  for (let request = 0; request < 2; request++) {
    const req = { headers: {}, socket: {}, url: '/' } as IncomingMessage
    const res = { setHeader() {}, getHeader() {}, hasHeader: () => true, removeHeader() {}, once() {}, end() {} }
    limiter(req, Object.assign(res, { headersSent: false }) as never, (error) => codes.push(error ?? 'on'))
  }
  expect(codes).toEqual(['on'])
  expect(warned).toEqual(['WRN_RATELIMIT_NO_ADDRESS'])
})

describe('behind a proxy on a Unix socket', () => {
  const visitSocket = async (options: object, trust: unknown, headers = forwarded): Promise<string> => {
    const app = express()
    app.set('trust proxy', trust)
    app.use(createLimiter({ rate: '5/m', ...options }))
    app.use((req, res) => void res.end(`${rateLimitOf(req)?.key} ${clientIp(req)}`))
    const folder = mkdtempSync(join(tmpdir(), 'svc-ratelimit-'))
    const socketPath = join(folder, 'http')
    const server = createServer(app)
    await new Promise<void>((resolve) => server.listen(socketPath, resolve))
    const seen = await new Promise<string>((resolve, reject) => {
      get({ socketPath, headers, agent: false }, (res) => resolve(text(res))).on('error', reject)
    })
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true })
    return seen
  }

  test.each<{ what: string; options?: object; trust?: unknown; headers?: object; seen: string; codes: string[] }>([
    { what: 'a trust of one hop', trust: 1, seen: '203.0.113.7 203.0.113.7', codes: [] },
    { what: 'trustProxy', options: { trustProxy: 1 }, seen: '203.0.113.7 ', codes: [] },
    { what: 'no trust', seen: ' ', codes: ['WRN_RATELIMIT_NO_ADDRESS'] },
    { what: 'no X-Forwarded-For', trust: 1, headers: {}, seen: ' ', codes: ['WRN_RATELIMIT_NO_ADDRESS'] },
    { what: 'by', options: { by: () => 'k' }, seen: 'k ', codes: [] },
    { what: "by: 'global'", options: { by: 'global' }, seen: 'global ', codes: [] },
    {
      what: 'by in a limit',
      options: { rate: undefined, limits: [{ rate: '5/m', by: () => 'k' }] },
      seen: 'k ',
      codes: [],
    },
  ])('counts by the address that the proxy sends, with $what: $codes', async (row) => {
    const { options = {}, trust = false, headers, seen, codes } = row
    expect(await visitSocket(options, trust, headers as typeof forwarded)).toBe(seen)
    expect(warned).toEqual(codes)
  })
})

test('counts locally if a store fails and no process exists, as in Workers', () => {
  const broken = () => {
    throw new Error('away')
  }
  const limiter = createLimiter({ rate: '5/m', store: { ...memoryStore(), consume: broken } })
  vi.stubGlobal('process', undefined)
  const result = limiter.checkKey('k')
  vi.unstubAllGlobals()
  expect(result).toMatchObject({ decision: { source: 'local', remaining: 4 } })
})

describe('the drop-in', () => {
  const visitDropIn = async (options: object, trust: unknown = false): Promise<void> => {
    const app = express()
    app.set('trust proxy', trust)
    app.use(rateLimit(options), (_req, res) => void res.end())
    const host = await listen(app)
    for (let request = 0; request < 4; request++) await send(host.url, { headers: forwarded })
    await host.close()
  }
  const untrusted = 'WRN_RATELIMIT_PROXY_UNTRUSTED'
  const permissive = 'WRN_RATELIMIT_PROXY_PERMISSIVE'

  test.each([
    { validate: true, trust: false, codes: [untrusted] },
    { validate: { xForwardedForHeader: false }, trust: false, codes: [] },
    { validate: { xForwardedForHeader: false }, trust: true, codes: [permissive] },
    { validate: { trustProxy: false }, trust: true, codes: [] },
    { validate: { default: false }, trust: true, codes: [] },
    { validate: { default: false, trustProxy: true }, trust: true, codes: [permissive] },
  ])('warns with validate: $validate and trust proxy $trust about $codes', async ({ validate, trust, codes }) => {
    await visitDropIn({ validate }, trust)
    expect(warned).toEqual(codes)
  })

  test('warns once while a store fails, and when it has recovered', async () => {
    let broken = true
    const increment = () => (broken ? Promise.reject(new Error('away')) : { totalHits: 1, resetTime: undefined })
    const store = { increment, decrement() {}, resetKey() {} }
    const limiter = rateLimit({ store, keyGenerator: () => 'k' })
    const visitLimiter = async (): Promise<void> => {
      const res = new ServerResponse(new IncomingMessage(new Socket()))
      await limiter(res.req, res, (_error) => {})
    }
    for (let request = 0; request < 3; request++) await visitLimiter()
    expect(warned).toEqual(['WRN_RATELIMIT_STORE_DOWN'])
    broken = false
    for (let request = 0; request < 3; request++) await visitLimiter()
    expect(warned).toEqual(['WRN_RATELIMIT_STORE_DOWN', 'WRN_RATELIMIT_STORE_RECOVERED'])
  })

  test('warns if requestWasSuccessful fails, not about the store', async () => {
    const requestWasSuccessful = () => Promise.reject(new Error('mine'))
    await visitDropIn({ skipFailedRequests: true, requestWasSuccessful, validate: { xForwardedForHeader: false } })
    await expect.poll(() => warned).toEqual(['WRN_RATELIMIT_HOOK_FAILED'])
  })
})

test('warns if finalCost fails, and keeps the original cost', async () => {
  const limiter = { rate: '5/m', finalCost: () => Promise.reject(new Error('mine')) } as const
  await visit(limiter, undefined, {})
  await expect.poll(() => warned).toEqual(Array(3).fill('WRN_RATELIMIT_FINAL_COST_FAILED'))
})
