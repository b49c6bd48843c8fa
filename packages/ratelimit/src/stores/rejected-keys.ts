import type { LimitResult } from '../algorithm.ts'
import type { Charge } from '../store.ts'

/** Keys that were rejected recently. */
export interface RejectedKeys {
  /** Returns the result of a key that is still rejected. */
  find(charges: readonly Charge[], now: number): LimitResult | undefined
  add(charges: readonly Charge[], outcome: LimitResult | undefined, now: number): void
  delete(charges: readonly Charge[]): void
}

const MAX_KEYS = 10_000

/**
 * Caches rejections until their keys may retry, for `maxMs` at most, so that the server is not
 * called again. Only for one unit of one limit: then nothing is left until that time, regardless of
 * the algorithm. Not for leases, which may end sooner.
 */
export function rejectedKeys(maxMs: number): RejectedKeys {
  const entries = new Map<string, { since: number; resetAt: number; retryAt: number; until: number }>()
  return {
    find([charge], now) {
      const entry = charge && entries.size > 0 ? entries.get(toName(charge)) : undefined
      if (!entry || charge?.cost !== 1) return undefined
      if (now >= entry.until || now < entry.since) {
        entries.delete(toName(charge))
        return undefined
      }
      const [resetMs, retryMs] = [entry.resetAt - now, entry.retryAt - now].map((ms) => Math.max(1, Math.ceil(ms)))
      return { allowed: false, remaining: 0, resetMs: resetMs ?? 1, retryMs: retryMs ?? 1 }
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

function toName({ policy, key }: Charge): string {
  return `${policy.id} ${key}`
}
