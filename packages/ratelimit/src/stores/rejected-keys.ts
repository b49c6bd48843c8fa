import type { LimitResult } from '../algorithm.ts'
import type { Charge } from '../store.ts'

/** Keys that were rejected recently. */
export interface RejectedKeys {
  readonly isEmpty: boolean
  /**
   * Returns the result of a key that is still rejected. Forgets the keys of the charges whose time
   * is over, or still to come since the clock was set back.
   */
  find(charges: readonly Charge[], now: number): LimitResult | undefined
  add(charges: readonly Charge[], outcome: LimitResult | undefined, now: number): void
  delete(charges: readonly Charge[]): void
}

interface Entry {
  since: number
  resetAt: number
  retryAt: number
  until: number
}

const MAX_KEYS = 10_000

/**
 * Caches rejections until their keys may retry, for `maxMs` at most, so that the server is not
 * called again. Only for one unit of one limit: then nothing is left until that time, regardless of
 * the algorithm. Not for leases, which may end sooner.
 */
export function rejectedKeys(maxMs: number): RejectedKeys {
  const entries = new Map<string, Entry>()
  return {
    get isEmpty() {
      return entries.size === 0
    },
    find(charges, now) {
      for (const charge of charges) {
        const entry = entries.get(toName(charge))
        if (!entry) continue
        // Whatever it costs, a charge at an earlier time may change what was rejected later.
        if (now >= entry.until || now < entry.since) entries.delete(toName(charge))
        else if (charges.length === 1 && charge.cost === 1) return toResult(entry, now)
      }
      return undefined
    },
    add(charges, outcome, now) {
      const charge = charges[0]
      if (!charge || charges.length > 1 || charge.cost !== 1 || charge.policy.algorithm === 'concurrency') return
      if (!outcome || outcome.allowed || outcome.retryMs <= 0) return
      if (entries.size >= MAX_KEYS) entries.clear()
      const { resetMs, retryMs } = outcome
      const until = now + Math.min(retryMs, resetMs, maxMs)
      entries.set(toName(charge), { since: now, resetAt: now + resetMs, retryAt: now + retryMs, until })
    },
    delete(charges) {
      for (const charge of charges) entries.delete(toName(charge))
    },
  }
}

function toResult({ resetAt, retryAt }: Entry, now: number): LimitResult {
  const resetMs = Math.max(1, Math.ceil(resetAt - now))
  const retryMs = Math.max(1, Math.ceil(retryAt - now))
  return { allowed: false, remaining: 0, resetMs, retryMs }
}

function toName({ policy, key }: Charge): string {
  return `${policy.id} ${key}`
}
