import type { State } from '../algorithm.ts'
import { adjustAll, blockedUntil, consumeAll, type Ledger, NOTHING } from '../decide.ts'
import type { Charge, RateLimitStore } from '../store.ts'

export interface MemoryStoreOptions {
  /** Milliseconds. @defaultValue a clock that never goes back */
  now?: () => number
}

/** Counts in this process. Answers at once, with no promise. */
export function memoryStore({ now = steadyNow }: MemoryStoreOptions = {}): RateLimitStore {
  const states = new Map<string, State>()
  const keyOf = ({ policy, key }: Charge): string => `${policy.id}|${key}`
  const ledger: Ledger = {
    read: (charge) => states.get(keyOf(charge)) ?? NOTHING,
    write: (charge, state) => void states.set(keyOf(charge), state),
  }
  return {
    consume: (charges) => consumeAll(charges, now(), ledger),
    adjust: (charges) => adjustAll(charges, now(), ledger),
    block(charges, ms) {
      for (const charge of charges) ledger.write(charge, blockedUntil(now() + ms))
    },
    reset(charges) {
      for (const charge of charges) states.delete(keyOf(charge))
    },
  }
}

/** Milliseconds since 1970 as of the start of the process, moved on by a clock that nobody sets. */
function steadyNow(): number {
  return Math.floor(performance.timeOrigin + performance.now())
}
