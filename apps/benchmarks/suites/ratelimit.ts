import { memoryStore, type RateLimitStore, ratelimit } from '@svc/ratelimit'
import { MemoryStore, rateLimit } from 'express-rate-limit'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { requester } from '../in-process.ts'
import type { Bench } from '../measure.ts'

export const title = 'Rate limits in memory'

const HOUR = 3_600_000
const RATE = '1000000000/1h'

type Charge = Parameters<RateLimitStore['consume']>[0][number]

export async function benches(): Promise<Bench[]> {
  const result: Bench[] = []
  for (const keys of [1, 100_000, 1_000_000]) result.push(await counting(keys))
  return [...result, middlewares()]
}

/** What the limiter asks its store for one request. */
async function chargeOfOne(): Promise<Charge> {
  let seen: readonly Charge[] = []
  const spy = {
    consume(charges: readonly Charge[]) {
      seen = charges
      return charges.map(() => ({ allowed: true, remaining: 1, resetMs: 1, retryMs: 0 }))
    },
  }
  const limiter = ratelimit({ rate: RATE, store: spy as unknown as RateLimitStore, key: () => '' })
  await limiter.consume('x')
  return seen[0] as Charge
}

async function counting(keys: number): Promise<Bench> {
  const names = Array.from({ length: keys }, (_, at) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`)
  const erl = new MemoryStore()
  erl.init({ windowMs: HOUR } as never)
  const rlf = new RateLimiterMemory({ points: 1e9, duration: 3600 })
  const store = memoryStore({ maxKeys: 2_000_000 })
  const limiter = ratelimit({ rate: RATE, store, key: () => '' })
  const charge = await chargeOfOne()
  for (const name of names) {
    await erl.increment(name)
    await rlf.consume(name)
    store.consume([{ ...charge, key: name, slot: name }])
  }
  // A step that is prime to the number of keys visits them all in an order that no cache likes.
  let at = 0
  const next = (): string => names[(at = (at + 7919) % keys)] as string
  const count = (): unknown => {
    const key = next()
    return store.consume([{ policy: charge.policy, key, cost: 1, slot: key }])
  }
  return {
    name: `${keys.toLocaleString('en')} key${keys === 1 ? '' : 's'}`,
    base: 'MemoryStore of express-rate-limit',
    overhead: 'picking a key',
    goals: [{ id: 'L3', against: 'MemoryStore of express-rate-limit', ratio: keys === 1 ? 1.2 : 0.5 }],
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
  const peer = rateLimit({ windowMs: HOUR, limit: 1_000_000_000, legacyHeaders: true, standardHeaders: false })
  const ours = ratelimit(RATE)
  return {
    name: 'the middleware, three X-RateLimit fields, over an empty one',
    base: 'express-rate-limit',
    overhead: 'an empty middleware',
    goals: [{ id: 'L4', against: 'express-rate-limit', ratio: 0.8 }],
    contenders: [
      { name: 'express-rate-limit', run: requester((req, res) => peer(withIp(req), res as never, () => res.end())) },
      { name: '@svc/ratelimit', run: requester((req, res) => ours(req, res, () => res.end())) },
      { name: 'an empty middleware', run: requester((_req, res) => void res.end()) },
    ],
  }
}

/** What Express adds to a request. */
function withIp(req: object): never {
  return Object.assign(req, { ip: '127.0.0.1', app: { get: () => false } }) as never
}
