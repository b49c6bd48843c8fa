import { memoryStore, ratelimit } from '@svc/ratelimit'
import { MemoryStore } from 'express-rate-limit'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Bench } from '../measure.ts'

export const title = 'Rate limits in memory'

const HOUR = 3_600_000

export async function benches(): Promise<Bench[]> {
  const result: Bench[] = []
  for (const keys of [1, 100_000, 1_000_000]) result.push(await filled(keys))
  return result
}

async function filled(keys: number): Promise<Bench> {
  const names = Array.from({ length: keys }, (_, at) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`)
  const erl = new MemoryStore()
  erl.init({ windowMs: HOUR } as never)
  const rlf = new RateLimiterMemory({ points: 1e9, duration: 3600 })
  const limiter = ratelimit({ rate: '1000000000/1h', store: memoryStore({ maxKeys: 2_000_000 }), key: () => '' })
  for (const name of names) {
    await erl.increment(name)
    await rlf.consume(name)
    limiter.consume(name)
  }
  // A step that is prime to the number of keys visits them all in an order that no cache likes.
  let at = 0
  const next = (): string => names[(at = (at + 7919) % keys)] as string
  const ratio = keys === 1 ? 1.2 : 0.5
  return {
    name: `${keys.toLocaleString('en')} key${keys === 1 ? '' : 's'}`,
    base: 'express-rate-limit',
    overhead: 'picking a key',
    goals: [{ id: 'L3', against: 'express-rate-limit', ratio }],
    contenders: [
      { name: 'express-rate-limit', run: () => erl.increment(next()) },
      { name: 'rate-limiter-flexible', run: () => rlf.consume(next()) },
      { name: '@svc/ratelimit', run: () => limiter.consume(next()) },
      { name: 'picking a key', run: next },
    ],
  }
}
