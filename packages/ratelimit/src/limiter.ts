import type { Middleware } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'
import { decisionOf, type RateLimitDecision, takeReceipts } from './decision.ts'
import type { Counted, GuardedStore } from './guarded-store.ts'
import { chargeOf, type Limit } from './limits.ts'
import { checkWhole } from './rate.ts'
import { type Soon, together } from './soon.ts'
import type { Charge, RateLimitStore } from './store.ts'

/** The middleware `(req, res, next)`, and the same limits by hand. */
export interface RateLimiter extends Middleware, RateLimiterMethods {}

/**
 * The limits by hand. A key is what `rateLimitOf(req).key` says: an address or network as
 * text, `user:` and the principal, or what the option `key` made. Every limit counts the key, or the one that is named.
 * All reject with `ERR_RATELIMIT_STORE_DOWN` where the store fails and `onStoreError` does not help.
 */
export interface RateLimiterMethods {
  /** Takes units, all limits or none, and says whether they were there. A cost is a whole number from 0 on. */
  consume(key: string, cost?: number, limit?: string): Promise<RateLimitDecision>
  /** What a key has left. `allowed`: whether one unit would be there. */
  peek(key: string, limit?: string): Promise<RateLimitDecision>
  /** Gives units back; of a decision, what it took (with it, a lease). */
  refund(taken: string | RateLimitDecision, units?: number, limit?: string): Promise<void>
  /** Forgets a key, its block included. */
  reset(key: string, limit?: string): Promise<void>
  /** Refuses a key for so many milliseconds. */
  block(key: string, ms: number, limit?: string): Promise<void>
  /** Takes units without asking, at most all that are left. */
  penalty(key: string, units?: number, limit?: string): Promise<RateLimitDecision>
  /** Gives units back, and says what is left. */
  reward(key: string, units?: number, limit?: string): Promise<RateLimitDecision>
  /** Ends the store that the limiter made itself; one that was passed in is left to its owner. */
  close(): Promise<void>
}

export interface Counter<Req> {
  limits: readonly Limit<Req>[]
  store: GuardedStore
  /** The store, if the limiter made it. */
  owned: RateLimitStore | undefined
}

/** The methods of a limiter: everything that it can do without a request. */
export function methodsOf<Req>({ limits, store, owned }: Counter<Req>): RateLimiterMethods {
  const chargesOf = async (key: string, cost: number, limit: string | undefined): Promise<Charge[]> => {
    const chosen = limits.filter(({ name }) => limit === undefined || name === limit)
    if (chosen.length === 0) throw new TypeError(`ratelimit: there is no limit ${inspectValue(limit)}`)
    const charges = await together(chosen.map((one) => chargeOf(one, key, cost, undefined)))
    const counted = charges.filter((charge) => charge !== undefined)
    if (counted.length === 0) throw new TypeError(`ratelimit: the key ${inspectValue(key)} has no limit`)
    return counted
  }
  const adjust = async (key: string, units: number, limit: string | undefined): Promise<RateLimitDecision> => {
    checkWhole('units', Math.abs(units))
    return decisionOf(await store.adjust(await chargesOf(key, units, limit), 'store'))
  }
  return {
    async consume(key, cost = 1, limit) {
      return decisionOf(await store.consume(await chargesOf(key, checkCost(cost), limit)))
    },
    async peek(key, limit) {
      const decision = decisionOf(await store.consume(await chargesOf(key, 0, limit)))
      return { ...decision, allowed: decision.allowed && decision.remaining > 0 }
    },
    async refund(taken, units, limit) {
      if (typeof taken === 'string') {
        await adjust(taken, -(units ?? 1), limit)
        return
      }
      const receipts = takeReceipts(taken, store)
      if (receipts.length === 0)
        throw new TypeError('ratelimit: the decision is not of this limiter, or was given back before')
      for (const counted of receipts) await giveBack(store, counted, units)
    },
    async reset(key, limit) {
      const charges = await chargesOf(key, 0, limit)
      await store.manage((own) => own.reset(charges))
    },
    async block(key, ms, limit) {
      checkWhole('ms', ms)
      const charges = await chargesOf(key, 0, limit)
      await store.manage((own) => own.block(charges, ms))
    },
    penalty: (key, units = 1, limit) => adjust(key, units, limit),
    reward: (key, units = 1, limit) => adjust(key, -units, limit),
    async close() {
      await owned?.close?.()
    },
  }
}

/** Gives back what was taken, or so many units of it; a lease always as a whole. */
function giveBack(store: GuardedStore, counted: Counted, units: number | undefined): Soon<unknown> {
  if (counted.source === 'none' || counted.outcomes?.some(({ allowed }) => !allowed)) return undefined
  const charges = counted.charges
    .filter(({ cost }) => cost > 0)
    .map((charge) => ({ ...charge, cost: -Math.min(units ?? charge.cost, charge.cost) }))
  return charges.length === 0 ? undefined : store.adjust(charges, counted.source)
}

/** Throws on a cost that is no whole number from 0 on. */
export function checkCost(cost: unknown): number {
  if (typeof cost === 'number' && Number.isSafeInteger(cost) && cost >= 0) return cost
  throw new TypeError(`ratelimit: cost must be a whole number from 0 on, got ${inspectValue(cost)}`)
}
