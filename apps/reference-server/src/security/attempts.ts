import { type RateLimitStore, ratelimit } from '@svc/ratelimit'
import { countedIn } from './counted-in.ts'

const RATE = '10/15m'

/** Limits how often a password may be guessed: ten wrong ones in a quarter of an hour for each key. */
export interface Attempts {
  /** Counts an attempt before it is looked at, so that parallel ones count too. Milliseconds to wait; 0: look at it. */
  begin(key: string): Promise<number>
  /** The attempt was right: what was counted is forgotten. */
  succeeded(key: string): Promise<void>
}

/** Counts where all processes see it, or in memory. */
export function attempts(store?: RateLimitStore): Attempts {
  const limiter = ratelimit({ name: 'passwords', rate: RATE, algorithm: 'sliding-log', ...countedIn(store) })
  return {
    async begin(key) {
      const { allowed, retryMs } = await limiter.consume(key)
      return allowed ? 0 : retryMs
    },
    // While the store is away there is nothing to forget, and who gave the right password is let in.
    succeeded: (key) => limiter.reset(key).catch(() => undefined),
  }
}
