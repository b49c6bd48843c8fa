import type { LimitResult } from '../algorithm.ts'
import type { Charge } from '../store.ts'

/** Keys that were refused a moment ago. */
export interface RefusedKeys {
  /** What was said of a key that is still refused. */
  recall(charges: readonly Charge[], now: number): LimitResult | undefined
  remember(charges: readonly Charge[], outcome: LimitResult | undefined, now: number): void
  forget(charges: readonly Charge[]): void
}

const MAX_KEYS = 10_000

/**
 * Remembers refusals until their keys may come again, for so long at most: nobody has to ask a server what it has just
 * said. One unit of one limit alone: then nothing is left until that time, whatever the algorithm. Not for leases, which
 * may end sooner.
 */
export function refusedKeys(longestMs: number): RefusedKeys {
  const entries = new Map<string, { since: number; resetAt: number; retryAt: number; until: number }>()
  return {
    recall([charge], now) {
      const refusal = charge && entries.size > 0 ? entries.get(toName(charge)) : undefined
      if (!refusal || charge?.cost !== 1) return undefined
      if (now >= refusal.until || now < refusal.since) {
        entries.delete(toName(charge))
        return undefined
      }
      const [resetMs, retryMs] = [refusal.resetAt - now, refusal.retryAt - now].map((ms) => Math.max(1, Math.ceil(ms)))
      return { allowed: false, remaining: 0, resetMs: resetMs ?? 1, retryMs: retryMs ?? 1 }
    },
    remember(charges, outcome, now) {
      const charge = charges[0]
      if (!charge || charges.length > 1 || charge.cost !== 1 || charge.policy.algorithm === 'concurrency') return
      if (!outcome || outcome.allowed || outcome.retryMs <= 0) return
      if (entries.size >= MAX_KEYS) entries.clear()
      const { resetMs, retryMs } = outcome
      const until = now + Math.min(retryMs, resetMs, longestMs)
      entries.set(toName(charge), { since: now, resetAt: now + resetMs, retryAt: now + retryMs, until })
    },
    forget(charges) {
      for (const charge of charges) entries.delete(toName(charge))
    },
  }
}

function toName({ policy, key }: Charge): string {
  return `${policy.id} ${key}`
}
