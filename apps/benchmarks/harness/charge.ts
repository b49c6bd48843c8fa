import { memoryStore, type RateLimitStore, type RateText, rateLimit } from '@svc/ratelimit'

type Charge = Parameters<RateLimitStore['consume']>[0][number]

/**
 * Returns the charge that a limiter passes to its store for one request. It measures a store
 * without the limiter.
 */
export async function createCharge(rate: RateText): Promise<Charge> {
  let seen: Charge | undefined
  const store = memoryStore()
  const spy: RateLimitStore = {
    ...store,
    consume(charges) {
      seen = charges[0]
      return store.consume(charges)
    },
  }
  await rateLimit({ rate, store: spy, by: () => '' }).consume('x')
  if (!seen) throw new Error('the limiter asked its store for nothing')
  return seen
}
