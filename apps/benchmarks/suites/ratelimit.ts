import { memoryStore, type RateLimitStore, rateLimit } from '@svc/ratelimit'
import { rateLimit as expressRateLimit, MemoryStore } from 'express-rate-limit'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { createCharge } from '../harness/charge.ts'
import { requester } from '../harness/in-process.ts'
import type { Bench } from '../harness/measure.ts'
import { address } from '../harness/strings.ts'

export const title = 'Rate limits in memory'

const EXACT =
  'a check hashes its key and works out the exact state of its window; express-rate-limit adds one to a counter of a Map'
const FIELDS = 'the address is made a key by its network, and the state of the window is exact, as at one key'

const HOUR = 3_600_000
const RATE = '1000000000/1h'
// Prime to the numbers of keys: all of them are visited.
const STEP = 7919

interface Counter {
  count: () => unknown
  next: () => string
  store: RateLimitStore
}

export async function benches(): Promise<Bench[]> {
  const result: Bench[] = []
  for (const keys of [1, 100_000, 1_000_000]) result.push(await counting(keys))
  return [...result, middlewares()]
}

/**
 * A store with so many keys, and the counting of one more request in an order of keys that no cache
 * likes.
 */
export async function createCounter(keys: number): Promise<Counter> {
  const names = Array.from({ length: keys }, (_, index) => address(index))
  const store = memoryStore({ maxKeys: 2_000_000 })
  const { policy } = await createCharge(RATE)
  const countKey = (key: string): unknown => store.consume([{ policy, key, cost: 1, slot: key }])
  names.forEach(countKey)
  let position = 0
  const next = (): string => names[(position = (position + STEP) % keys)] as string
  return { count: () => countKey(next()), next, store }
}

async function counting(keys: number): Promise<Bench> {
  const { count, next, store } = await createCounter(keys)
  const erl = new MemoryStore()
  erl.init({ windowMs: HOUR } as never)
  const rlf = new RateLimiterMemory({ points: 1e9, duration: 3600 })
  const limiter = rateLimit({ rate: RATE, store, by: () => '' })
  for (let index = 0; index < keys; index++) {
    await erl.increment(address(index))
    await rlf.consume(address(index))
  }
  return {
    name: `${keys.toLocaleString('en')} key${keys === 1 ? '' : 's'}`,
    base: 'MemoryStore of express-rate-limit',
    overhead: 'picking a key',
    goals: [{ id: 'L3', against: 'MemoryStore of express-rate-limit', most: keys === 1 ? 1.2 : 0.5, reason: EXACT }],
    contenders: [
      { name: 'MemoryStore of express-rate-limit', run: () => erl.increment(next()) },
      { name: 'rate-limiter-flexible', run: () => rlf.consume(next()) },
      { name: '@svc/ratelimit, memoryStore()', run: count },
      { name: 'the method consume of @svc/ratelimit', run: () => limiter.consume(next()) },
      { name: 'picking a key', run: next },
    ],
  }
}

/** The whole middleware with the fields that the specification asks for. */
function middlewares(): Bench {
  const peer = expressRateLimit({ windowMs: HOUR, limit: 1_000_000_000, legacyHeaders: true, standardHeaders: false })
  const ours = rateLimit(RATE)
  return {
    name: 'the middleware, three X-RateLimit fields, over an empty one',
    base: 'express-rate-limit',
    overhead: 'an empty middleware',
    goals: [{ id: 'L4', against: 'express-rate-limit', most: 0.8, reason: FIELDS }],
    contenders: [
      { name: 'express-rate-limit', run: requester((req, res) => peer(withIp(req), res as never, () => res.end())) },
      { name: '@svc/ratelimit', run: requester((req, res) => ours(req, res, () => res.end())) },
      { name: 'an empty middleware', run: requester((_req, res) => void res.end()) },
    ],
  }
}

/** Adds what Express adds to a request. */
function withIp(req: object): never {
  return Object.assign(req, { ip: '127.0.0.1', app: { get: () => false } }) as never
}
