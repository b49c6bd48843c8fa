import { type RateLimitStore, type RateText, rateLimit } from '@svc/ratelimit'

type Charge = Parameters<RateLimitStore['consume']>[0][number]

/**
 * Returns the charge that a limiter passes to its store for one request. It measures a store
 * without the limiter.
 */
export async function createCharge(rate: RateText): Promise<Charge> {
  let seen: Charge | undefined
  const spy = {
    consume(charges: readonly Charge[]) {
      seen = charges[0]
      return charges.map(() => ({ allowed: true, remaining: 1, resetMs: 1, retryMs: 0 }))
    },
  }
  await rateLimit({ rate, store: spy as unknown as RateLimitStore, by: () => '' }).consume('x')
  if (!seen) throw new Error('the limiter asked its store for nothing')
  return seen
}
