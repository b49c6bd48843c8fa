import { inspectValue } from '../../internal/options.ts'
import { type RateLimitDecision, takeReceipts, toDecision } from './decision.ts'
import { retrySeconds } from './errors.ts'
import type { FormatHeaders } from './headers.ts'
import { checkCost, createCharges, type Limit } from './limits.ts'
import { assertPositiveInteger } from './rate.ts'
import { adjustReceipt, type ConsumeReceipt, type GuardedStore } from './receipt.ts'
import type { Charge } from './store.ts'

/**
 * Methods of a limiter that need no request. A key is what `rateLimitOf(req).key` returns: an
 * address or network, `user:` and the name of the user, or the result of the function `by`. Without
 * `limit` all limits count the key. The methods reject with `ERR_RATELIMIT_STORE_DOWN` if the store
 * fails and `onStoreError` has no substitute.
 */
export interface RateLimiterMethods {
  /**
   * Charges all limits or none, and returns the decision. `cost` is a non-negative integer.
   * @defaultValue 1
   */
  consume(key: string, cost?: number, limit?: string): Promise<RateLimitDecision>
  /**
   * Returns what a key has left, without charging it. `allowed`: whether one unit is available;
   * `retryMs`: when it is.
   */
  peek(key: string, limit?: string): Promise<RateLimitDecision>
  /**
   * Refunds units of a key; for a decision, what it charged (leases included), once. Leases are
   * refunded by decision only.
   */
  refund(taken: string | RateLimitDecision, units?: number, limit?: string): Promise<void>
  /** Deletes the counters of a key, its block included. */
  reset(key: string, limit?: string): Promise<void>
  /** Rejects a key for a number of milliseconds from now, also if it is blocked already. */
  block(key: string, ms: number, limit?: string): Promise<void>
  /** Charges units unconditionally, at most all that are left. */
  penalty(key: string, units?: number, limit?: string): Promise<RateLimitDecision>
  /** Refunds units, but no leases, and returns what is left. */
  reward(key: string, units?: number, limit?: string): Promise<RateLimitDecision>
  /**
   * Returns the headers of a decision as the option `headers` asks for them, with Retry-After if it
   * rejects: for a Fetch handler, or a service that writes its own headers.
   */
  headersFor(decision: RateLimitDecision): Record<string, string>
  /** Closes the store that the limiter created; a store that was passed in belongs to its owner. */
  close(): Promise<void>
}

export interface Counter<Req> {
  limits: readonly Limit<Req>[]
  /** Whether a limit counts by the address of the client. */
  byAddress: boolean
  /** Whether a limit counts requests in progress, which return what they have taken. */
  hasLeases: boolean
  store: GuardedStore
}

interface MethodParts<Req> {
  counter: Counter<Req>
  headersFor: FormatHeaders
  jitterSeconds: () => number
  reportOnly: boolean
}

/** Creates the methods of a limiter. */
export function createMethods<Req>(parts: MethodParts<Req>): RateLimiterMethods {
  const { counter, headersFor, jitterSeconds, reportOnly } = parts
  const { limits, store } = counter
  const select = async (key: string, cost: number, limit: string | undefined): Promise<readonly Charge[]> => {
    const selected = limits.filter(({ name }) => limit === undefined || name === limit)
    if (selected.length === 0)
      throw new TypeError(`ratelimit: limit must be the name of a limit, got ${inspectValue(limit)}`)
    const charges = await createCharges(selected, key, cost)
    if (charges.length === 0) throw new TypeError(`ratelimit: key must have a limit, got ${inspectValue(key)}`)
    return charges
  }
  const adjust = async (
    key: string,
    sign: 1 | -1,
    units: number,
    limit: string | undefined,
  ): Promise<RateLimitDecision> => {
    assertPositiveInteger('units', units)
    return toDecision(await store.adjust(await select(key, sign * units, limit), 'store'), reportOnly)
  }
  const count = async (key: string, cost: number, limit: string | undefined): Promise<ConsumeReceipt> =>
    store.consume(await select(key, cost, limit))
  return {
    async consume(key, cost = 1, limit) {
      return toDecision(await count(key, checkCost(cost), limit), reportOnly)
    },
    async peek(key, limit) {
      const decision = toDecision(await count(key, 0, limit), reportOnly)
      if (!decision.allowed || decision.remaining > 0) return decision
      // The key has no units left. Rejecting one unit charges nothing and returns the wait.
      const receipt = await count(key, 1, limit)
      // Unless time has restored a unit just now.
      if (receipt.outcomes?.every(({ allowed }) => allowed)) await adjustReceipt(receipt, () => -1)
      return { ...toDecision(receipt, reportOnly), cost: 0 }
    },
    async refund(taken, units, limit) {
      if (typeof taken === 'string') {
        await adjust(taken, -1, units ?? 1, limit)
        return
      }
      if (units !== undefined) assertPositiveInteger('units', units)
      const receipts = takeReceipts(taken, store)
      if (receipts.length === 0)
        throw new TypeError('ratelimit: refund: the decision is not from this limiter, or was refunded before')
      for (const counted of receipts) {
        if (counted.outcomes?.every(({ allowed }) => allowed))
          await adjustReceipt(counted, ({ cost }) => -Math.min(units ?? cost, cost))
      }
    },
    async reset(key, limit) {
      const charges = await select(key, 0, limit)
      await store.manage((opened) => opened.reset(charges))
    },
    async block(key, ms, limit) {
      assertPositiveInteger('ms', ms)
      const charges = await select(key, 0, limit)
      await store.manage((opened) => opened.block(charges, ms))
    },
    penalty: (key, units = 1, limit) => adjust(key, 1, units, limit),
    reward: (key, units = 1, limit) => adjust(key, -1, units, limit),
    headersFor(decision) {
      const headers = headersFor(decision)
      if (!decision.allowed && !decision.reportOnly)
        headers['Retry-After'] = String(retrySeconds(decision) + jitterSeconds())
      return headers
    },
    // The default store has nothing to close.
    async close() {},
  }
}
