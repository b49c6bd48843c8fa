import type { RateLimitOptions, RateLimitStore } from '@svc/ratelimit'

/** What a limiter takes to count where all processes see it, and how long a request waits for that; else in memory. */
export function countedIn(store: RateLimitStore | undefined): Pick<RateLimitOptions, 'store' | 'storeTimeoutMs'> {
  return store ? { store, storeTimeoutMs: 100 } : {}
}
