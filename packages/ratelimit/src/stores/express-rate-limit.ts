import type { LimitResult, Policy } from '../algorithm.ts'
import type { Charge, RateLimitStore } from '../store.ts'
import { type HitStore, type LegacyHitStore, toHitStore } from './hit-store.ts'

export type { HitInfo, HitStore, LegacyHitStore } from './hit-store.ts'

const MAX_CALLS = 1000

/**
 * Creates a store from one for express-rate-limit. Such a store supports one fixed window and
 * single hits: a limiter with it has one limit and counts in fixed windows regardless of its
 * algorithm, a cost of n is n calls (n at most 1000), keys cannot be blocked, and only a store with
 * `get` can read a count. Unsupported calls reject with `ERR_RATELIMIT_UNSUPPORTED`. Keys are as
 * express-rate-limit writes them, so that counts continue.
 */
export function fromExpressRateLimit(store: HitStore | LegacyHitStore): RateLimitStore {
  const hits = toHitStore('ratelimit: fromExpressRateLimit', store)
  let windowMs: number | undefined

  const getOnlyCharge = (charges: readonly Charge[]): Charge => {
    const [charge] = charges
    if (!charge || charges.length > 1)
      throw unsupported(
        `ratelimit: limits must have one entry with a store for express-rate-limit, got ${charges.length}`,
      )
    if (windowMs === undefined) {
      windowMs = charge.policy.windowMs
      // Stores read only the window. A store that fails here fails again in `increment`, where the
      // error is handled.
      Promise.resolve(hits.init?.({ windowMs } as never)).catch(() => {})
    } else if (windowMs !== charge.policy.windowMs)
      throw unsupported(
        `ratelimit: windowMs must be ${windowMs} for all limits of this store, got ${charge.policy.windowMs}`,
      )
    return charge
  }
  const repeat = async <T>(times: number, call: () => T | PromiseLike<T>): Promise<Awaited<T> | undefined> => {
    if (times > MAX_CALLS)
      throw unsupported(
        `ratelimit: cost must be at most ${MAX_CALLS} with a store for express-rate-limit, got ${times}`,
      )
    const replies = await Promise.all(Array.from({ length: times }, call))
    return replies.at(-1)
  }
  const look = async ({ key, policy }: Charge): Promise<readonly LimitResult[]> => {
    if (!hits.get) throw unsupported('ratelimit: this store for express-rate-limit cannot read the count of a key')
    const info = await hits.get(key)
    return [toResult(policy, info?.totalHits ?? 0, info?.resetTime, true)]
  }

  return {
    algorithm: 'fixed-window',
    async consume(charges) {
      const charge = getOnlyCharge(charges)
      const { key, cost, policy } = charge
      if (cost === 0) return look(charge)
      const info = await repeat(cost, () => hits.increment(key))
      const used = info?.totalHits ?? 0
      const allowed = used <= policy.limit
      // A rejected charge is refunded. A single hit above the limit makes no difference and needs
      // no second call.
      if (!allowed && cost > 1) await repeat(cost, () => hits.decrement(key))
      return [toResult(policy, allowed || cost === 1 ? used : used - cost, info?.resetTime, allowed)]
    },
    async adjust(charges) {
      const charge = getOnlyCharge(charges)
      const { key, cost, policy } = charge
      const info = await (cost > 0
        ? repeat(cost, () => hits.increment(key))
        : repeat<undefined | void>(-cost, () => hits.decrement(key)))
      if (hits.get) return look(charge)
      // What is left after a refund is unknown. The refund itself has succeeded.
      return [toResult(policy, info?.totalHits ?? 0, info?.resetTime, true)]
    },
    block() {
      throw unsupported('ratelimit: a store for express-rate-limit cannot block keys')
    },
    reset: (charges) => hits.resetKey(getOnlyCharge(charges).key),
    close: () => hits.shutdown?.(),
  }
}

/** Creates the error of an unsupported call, which is not a failure of the store. */
function unsupported(message: string): TypeError {
  return Object.assign(new TypeError(message), { code: 'ERR_RATELIMIT_UNSUPPORTED' })
}

function toResult(
  { limit, windowMs }: Policy,
  used: number,
  resetTime: Date | undefined,
  allowed: boolean,
): LimitResult {
  const resetMs = resetTime ? Math.max(0, resetTime.getTime() - Date.now()) : windowMs
  return { allowed, remaining: Math.max(0, limit - used), resetMs, retryMs: allowed ? 0 : Math.max(1, resetMs) }
}
