import { setTimeout } from 'node:timers/promises'
import { Idempotency } from '@node-idempotency/core'
import { MemoryStorageAdapter } from '@node-idempotency/storage-adapter-memory'
import { createFingerprint, idempotencyEngine, memoryStore as memoryKeys } from '@svc/idempotency'
import { memoryStore, rateLimit } from '@svc/ratelimit'
import { IdempotencyService } from 'express-idempotency'
import { MemoryStore } from 'express-rate-limit'
import { MemoryStore as HonoStore } from 'hono-rate-limiter'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { address, uuid } from './strings.ts'

// Fills one store with so many keys and tells what that cost.
const [, , name = '', count = '0'] = process.argv
const keys = Number(count)
// The window ends some seconds after the last key has come.
const windowMs = keys > 500_000 ? 12_000 : 4000
const answer = JSON.stringify({ id: 1, text: 'x'.repeat(135) })
const payment = { orderId: 7, amount: '10.00' }

type Insert = (key: string) => unknown

const stores: Record<string, () => Insert> = {
  'express-rate-limit': () => {
    const store = new MemoryStore()
    store.init({ windowMs } as never)
    return (key) => store.increment(key)
  },
  'rate-limiter-flexible': () => {
    const limiter = new RateLimiterMemory({ points: 10, duration: windowMs / 1000 })
    return (key) => limiter.consume(key)
  },
  'hono-rate-limiter': () => {
    const store = new HonoStore()
    store.init({ windowMs } as never)
    return (key) => store.increment(key)
  },
  '@svc/ratelimit': () => {
    const limiter = rateLimit({
      // With one unit in a window a key is held for the whole window, as the peers hold it.
      rate: { limit: 1, windowMs },
      store: memoryStore({ maxKeys: 2_000_000 }),
      by: () => '',
    })
    return (key) => limiter.consume(key)
  },
  'express-idempotency': () => {
    const service = new IdempotencyService()
    return (key) =>
      new Promise<void>((resolve) => {
        const headers: Record<string, string> = { 'idempotency-key': key }
        const req = {
          method: 'POST',
          url: '/',
          query: {},
          headers,
          body: { ...payment },
          get: (n: string) => headers[n],
        }
        const res = {
          statusCode: 201,
          setHeader() {},
          getHeaders: () => ({}),
          status: () => res,
          send(_body: string) {},
        }
        service.provideMiddlewareFunction(
          req as never,
          res as never,
          (() => {
            res.send(answer)
            setImmediate(resolve)
          }) as never,
        )
      })
  },
  '@node-idempotency/core': () => {
    const engine = new Idempotency(new MemoryStorageAdapter())
    return async (key) => {
      const request = { method: 'POST', path: '/', headers: { 'idempotency-key': key }, body: payment }
      await engine.onRequest(request)
      await engine.onResponse(request, { body: answer, additional: { status: 201 } })
    }
  },
  '@svc/idempotency': () => {
    const engine = idempotencyEngine({ store: memoryKeys({ maxKeys: 2_000_000, maxBytes: 2 ** 31 }) })
    return (key) => {
      const body = JSON.stringify(payment)
      const fingerprint = createFingerprint({ method: 'POST', target: '/', contentType: 'application/json', body })
      const begun = engine.begin({ scope: '', key, fingerprint })
      if (!('outcome' in begun) || begun.outcome !== 'new') throw new Error('the key is not new')
      return begun.lease.complete({ status: 201, headers: [], body: Buffer.from(answer) })
    }
  },
}

const createStore = stores[name]
if (!createStore) throw new TypeError(`there is no store ${name}`)
const isLimiter = name.includes('rate-limit') || name.includes('ratelimit')
// What runs for the first time is compiled, so another store goes first.
await fill(createStore(), 2000)
const insert = createStore()
const before = used()
const start = performance.now()
const worstFill = await fill(insert, keys)
const bytesPerKey = (used() - before) / keys

let worstEnd = 0
if (isLimiter) {
  await setTimeout(windowMs - (performance.now() - start) - 500)
  const end = start + windowMs + 1500
  for (let index = 0; performance.now() < end; index++) {
    const cpu = mainThreadMs()
    await insert(formatKey(index % keys))
    await setTimeout(1)
    worstEnd = Math.max(worstEnd, mainThreadMs() - cpu)
  }
}
process.send?.({ bytesPerKey, worstFill, worstEnd })

/** Returns the CPU milliseconds of the costliest 200 insertions. */
async function fill(insert: Insert, keys: number): Promise<number> {
  let worst = 0
  for (let index = 0; index < keys; index += 200) {
    const names = Array.from({ length: 200 }, (_, step) => formatKey(index + step))
    const cpu = mainThreadMs()
    for (const key of names) await insert(key)
    worst = Math.max(worst, mainThreadMs() - cpu)
  }
  return worst
}

/** CPU of the main thread: what other threads take stops no request. */
function mainThreadMs(): number {
  // Linux counts a running thread to the last tick, of up to 4 ms, unless the process is asked for.
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function used(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  // Array buffers are part of what is external.
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function formatKey(index: number): string {
  return isLimiter ? address(index) : uuid(index)
}
