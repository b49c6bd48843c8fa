import { HttpError } from '@svc/errors'
import { type RateLimitStore, rateLimit } from '@svc/ratelimit'
import { LRUCache } from 'lru-cache'
import { failure } from '../messages/errors.ts'
import { durationMessage } from '../messages/messages.ts'

const RATE = '10/15m'
const WINDOW_MS = 15 * 60_000
const MAX_KEYS = 5000
// Longer than for a rate limit: while a process counts for itself, it gives guesses away.
const STORE_TIMEOUT_MS = 2000

export type Attempts = ReturnType<typeof createAttempts>

// The `cause` of the 429, which tells it from that of a rate limit.
class TooManyAttempts extends Error {}

/**
 * Slows down guessing: after ten wrong passwords in a row, one password is checked every 90 seconds
 * for each user and address. Counts where all processes see it, or in memory.
 */
export function createAttempts(store?: RateLimitStore) {
  const limiter = rateLimit({
    name: 'passwords',
    rate: RATE,
    ...(store && { store, storeTimeoutMs: STORE_TIMEOUT_MS }),
  })
  const counted = new LRUCache<string, true>({ max: MAX_KEYS, ttl: WINDOW_MS, ttlAutopurge: true })
  const forgiven = new LRUCache<string, true>({ max: MAX_KEYS, ttl: WINDOW_MS })
  // While the store is unavailable there is nothing to delete, and the right password is accepted.
  const reset = (key: string): Promise<void> => {
    counted.delete(key)
    return limiter.reset(key).catch(() => undefined)
  }
  return {
    /**
     * Counts an attempt before the password is checked, also concurrent ones. Rejects with a 429.
     */
    async begin(key: string): Promise<void> {
      counted.set(key, true)
      const { allowed, retryMs } = await limiter.consume(key)
      if (!allowed) throw tooManyAttempts(retryMs)
    },
    /** The password was right: deletes the count. */
    succeeded: reset,
    /**
     * A password that was proven before came again. Deletes the count once per window: more often,
     * an active user would give anyone behind the same address as many attempts as they like.
     */
    async proven(key: string): Promise<void> {
      if (!counted.has(key) || forgiven.has(key)) return
      forgiven.set(key, true)
      await reset(key)
    },
    /** Keys that were counted recently. If there are none, `proven` has nothing to delete. */
    counted,
  }
}

/** Whether an error says that too many passwords were tried. */
export function isTooManyAttempts(error: unknown): error is HttpError {
  return error instanceof HttpError && error.cause instanceof TooManyAttempts
}

function tooManyAttempts(waitMs: number): Error {
  const retryAfter = Math.ceil(waitMs / 1000)
  const wait = durationMessage(retryAfter * 1000)
  return failure('RATE_LIMITED.attempts', { wait }, { retryAfter, cause: new TooManyAttempts() })
}
