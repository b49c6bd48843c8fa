import { memoryStore, type Policy, type RateLimitStore, rateLimit } from '@svc/ratelimit'
import { rateLimit as expressRateLimit, MemoryStore } from 'express-rate-limit'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { createCharge } from '../harness/charge.ts'
import { requester } from '../harness/in-process.ts'
import type { Bench, Operation } from '../harness/measure.ts'
import { address } from '../harness/strings.ts'

export const title = 'Rate limits in memory'

const EXACT =
  'a check hashes its key and works out the exact state of its window; express-rate-limit adds one to a counter of a Map'
const FIELDS = 'the address is made a key by its network, and the state of the window is exact, as at one key'

const HOUR = 3_600_000
const RATE = '1000000000/1h'
/** Prime to the numbers of keys: all of them are visited. */
const STEP = 7919

export function benches(): Bench[] {
  return [...[1, 100_000, 1_000_000].map(counting), middlewares()]
}

/** Picks one of so many keys each time, in an order that no cache likes. */
function keyPicker(keys: number): { names: readonly string[]; next: () => string } {
  const names = Array.from({ length: keys }, (_, index) => address(index))
  let position = 0
  return { names, next: () => names[(position = (position + STEP) % keys)] as string }
}

/** A store with so many keys. */
function filledStore(names: readonly string[], policy: Policy): RateLimitStore {
  const store = memoryStore({ maxKeys: 2_000_000 })
  for (const key of names) store.consume([{ policy, key, cost: 1, slot: key }])
  return store
}

/** Counts one more request in a store with so many keys. */
export async function createCounter(keys: number): Promise<Operation> {
  const { policy } = await createCharge(RATE)
  const { names, next } = keyPicker(keys)
  const store = filledStore(names, policy)
  return () => {
    const key = next()
    return store.consume([{ policy, key, cost: 1, slot: key }])
  }
}

/** The same by the method of the middleware, which returns what a service can send. */
async function createLimiter(keys: number): Promise<Operation> {
  const { policy } = await createCharge(RATE)
  const { names, next } = keyPicker(keys)
  const limiter = rateLimit({ rate: RATE, store: filledStore(names, policy), by: () => '' })
  return () => limiter.consume(next())
}

async function createMemoryStore(keys: number): Promise<Operation> {
  const { names, next } = keyPicker(keys)
  const store = new MemoryStore()
  store.init({ windowMs: HOUR } as never)
  for (const key of names) await store.increment(key)
  return () => store.increment(next())
}

async function createFlexible(keys: number): Promise<Operation> {
  const { names, next } = keyPicker(keys)
  const limiter = new RateLimiterMemory({ points: 1e9, duration: 3600 })
  for (const key of names) await limiter.consume(key)
  return () => limiter.consume(next())
}

function counting(keys: number): Bench {
  return {
    name: `${keys.toLocaleString('en')} key${keys === 1 ? '' : 's'}`,
    base: 'MemoryStore of express-rate-limit',
    overhead: 'picking a key',
    ...(keys > 1 && { slice: 50 }),
    goals: [{ id: 'L3', against: 'MemoryStore of express-rate-limit', most: keys === 1 ? 1.2 : 0.5, reason: EXACT }],
    contenders: [
      { name: 'MemoryStore of express-rate-limit', prepare: () => createMemoryStore(keys) },
      { name: 'rate-limiter-flexible', prepare: () => createFlexible(keys) },
      { name: '@svc/ratelimit, memoryStore()', prepare: () => createCounter(keys) },
      { name: 'the method consume of @svc/ratelimit', prepare: () => createLimiter(keys) },
      { name: 'picking a key', prepare: async () => keyPicker(keys).next },
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
