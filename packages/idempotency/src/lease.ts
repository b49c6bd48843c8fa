import { type Awaitable, chain } from './chain.ts'
import type { Beating, Heartbeat } from './heartbeat.ts'
import { leaseLost } from './refusals.ts'
import { packResponse, type StoredResponse } from './response.ts'
import type { Checkpoints } from './state.ts'
import type { IdempotencyStore } from './store.ts'

/** The right to do the work of one key. Ended by `complete` or `release`, or by the process' end. */
export interface Lease {
  /** The stored key: a hash of scope and key. */
  readonly id: string
  /** 1 for the first attempt, one more for each that took over. */
  readonly generation: number
  /**
   * Keeps the answer for retries. Throws or rejects with ERR_IDEMPOTENCY_LEASE_LOST where another attempt took over
   * meanwhile, and with ERR_IDEMPOTENCY_STORE_DOWN.
   */
  complete(response: StoredResponse): Awaitable<void>
  /** Gives up: the next attempt runs, from the last checkpoint on. */
  release(): Awaitable<void>
  /**
   * Takes a step once over all attempts: runs `take` and keeps its result (a JSON value), or gives the result that an
   * earlier attempt kept.
   */
  checkpoint<T>(name: string, take: () => Awaitable<T>): Promise<T>
}

export interface LeaseParts {
  id: string
  owner: string
  generation: number
  checkpoints: Checkpoints
  store: Pick<IdempotencyStore, 'complete' | 'release' | 'checkpoint' | 'renew'>
  leaseMs: number
  ttlMs: number
  /** Where the lease is renewed; none: it ends with the transaction that holds it. */
  heartbeat: Heartbeat | undefined
  /** How many times the lease is renewed at most. */
  maxBeats: number
  /** Called once, when the lease is over. */
  onEnd: () => void
}

export function lease(parts: LeaseParts): Lease {
  const { id, owner, generation, store, heartbeat } = parts
  const checkpoints = new Map(parts.checkpoints)
  let beats = 0
  const beating: Beating = {
    beat() {
      if (beats++ >= parts.maxBeats) return false
      const lost = (): void => heartbeat?.remove(beating)
      try {
        const renewed = store.renew(id, owner, parts.leaseMs)
        Promise.resolve(renewed).then(
          (held) => held || lost(),
          () => {},
        )
      } catch {}
      return true
    },
  }
  const end = (): void => {
    heartbeat?.remove(beating)
    parts.onEnd()
  }
  heartbeat?.add(beating)
  return {
    id,
    generation,
    complete(response) {
      heartbeat?.remove(beating)
      return chain(store.complete(id, owner, packResponse(response), parts.ttlMs), (held) => {
        end()
        if (!held) throw leaseLost()
      })
    },
    release() {
      heartbeat?.remove(beating)
      return chain(store.release(id, owner), end)
    },
    async checkpoint<T>(name: string, take: () => Awaitable<T>): Promise<T> {
      const kept = checkpoints.get(name)
      if (kept !== undefined) return (kept === '' ? undefined : JSON.parse(kept)) as T
      const result = await take()
      const value = JSON.stringify(result) ?? ''
      if (!(await store.checkpoint(id, owner, name, value))) throw leaseLost()
      checkpoints.set(name, value)
      return result
    },
  }
}
