import type { LimitResult, Policy } from '../algorithm.ts'
import type { Charge, RateLimitStore } from '../store.ts'

/** What stores for express-rate-limit answer. */
export interface HitInfo {
  /** Requests that were counted in this window, this one included. */
  totalHits: number
  /** When the window ends, where the store knows. */
  resetTime: Date | undefined
}

/** A store made for express-rate-limit: rate-limit-redis, rate-limit-memcached, @acpr/rate-limit-postgresql... */
export interface HitStore {
  /** Called once with the options of the limiter. */
  init?(options: never): void | PromiseLike<void>
  /** What is counted for a key, without counting. */
  get?(key: string): HitInfo | undefined | PromiseLike<HitInfo | undefined>
  /** Counts one request of a key. */
  increment(key: string): HitInfo | PromiseLike<HitInfo>
  /** Takes one request of a key back. */
  decrement(key: string): void | PromiseLike<void>
  /** Forgets a key. */
  resetKey(key: string): void | PromiseLike<void>
  /** Ends what the store itself began. */
  shutdown?(): void | PromiseLike<void>
}

const MOST_CALLS = 1000

/**
 * Counts in a store made for express-rate-limit. Such a store knows one fixed window and single hits: a limiter on it
 * has one limit and counts in fixed windows whatever its algorithm says, a cost of n is n calls (n at most 1000), and
 * nothing can be blocked. Keys are as express-rate-limit writes them, so that counters go on.
 */
export function fromExpressRateLimit(hits: HitStore): RateLimitStore {
  if (
    typeof hits?.increment !== 'function' ||
    typeof hits.decrement !== 'function' ||
    typeof hits.resetKey !== 'function'
  )
    throw new TypeError(
      'ratelimit: the store is none for express-rate-limit: increment, decrement or resetKey is missing',
    )
  let windowMs: number | undefined

  const only = (charges: readonly Charge[]): Charge => {
    const [charge] = charges
    if (!charge || charges.length > 1) throw new TypeError('ratelimit: a store for express-rate-limit has one limit')
    if (windowMs === undefined) {
      windowMs = charge.policy.windowMs
      // Stores read nothing but the window. What fails here fails again in `increment`, where it is handled.
      Promise.resolve(hits.init?.({ windowMs } as never)).catch(() => {})
    } else if (windowMs !== charge.policy.windowMs)
      throw new TypeError(`ratelimit: the store counts in windows of ${windowMs} ms, not ${charge.policy.windowMs} ms`)
    return charge
  }
  const repeat = async <T>(times: number, call: () => T | PromiseLike<T>): Promise<Awaited<T> | undefined> => {
    if (times > MOST_CALLS)
      throw new TypeError(`ratelimit: a store for express-rate-limit takes at most ${MOST_CALLS} units`)
    const answers = await Promise.all(Array.from({ length: times }, call))
    return answers.at(-1)
  }
  const look = async ({ key, policy }: Charge): Promise<readonly LimitResult[]> => {
    const info = await hits.get?.(key)
    return [outcomeOf(policy, info?.totalHits ?? 0, info?.resetTime, true)]
  }

  return {
    async consume(charges) {
      const charge = only(charges)
      const { key, cost, policy } = charge
      if (cost === 0) return look(charge)
      const info = await repeat(cost, () => hits.increment(key))
      const used = info?.totalHits ?? 0
      const allowed = used <= policy.limit
      // What was refused is not taken; a single hit beyond the limit makes no difference, and costs no second call.
      if (!allowed && cost > 1) await repeat(cost, () => hits.decrement(key))
      return [outcomeOf(policy, allowed || cost === 1 ? used : used - cost, info?.resetTime, allowed)]
    },
    async adjust(charges) {
      const charge = only(charges)
      const { key, cost } = charge
      await repeat(Math.abs(cost), cost > 0 ? () => void hits.increment(key) : () => hits.decrement(key))
      return look(charge)
    },
    block() {
      throw new TypeError('ratelimit: a store for express-rate-limit cannot block a key')
    },
    reset: (charges) => hits.resetKey(only(charges).key),
    close: () => hits.shutdown?.(),
  }
}

function outcomeOf(
  { limit, windowMs }: Policy,
  used: number,
  resetTime: Date | undefined,
  allowed: boolean,
): LimitResult {
  const resetMs = resetTime ? Math.max(0, resetTime.getTime() - Date.now()) : windowMs
  return { allowed, remaining: Math.max(0, limit - used), resetMs, retryMs: allowed ? 0 : Math.max(1, resetMs) }
}
