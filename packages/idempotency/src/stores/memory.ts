import { acquire, checkpoint, complete, type Entry, release, renew, type Step } from '../state.ts'
import type { IdempotencyStore, KeyStatus } from '../store.ts'

export interface MemoryStoreOptions {
  /** Milliseconds since 1970. @defaultValue Date.now */
  now?: () => number
}

/** Keeps keys in this process: for one process, and gone when it ends. */
export function memory({ now = Date.now }: MemoryStoreOptions = {}): IdempotencyStore {
  const entries = new Map<string, Entry>()
  const apply = <T>(id: string, [entry, result]: Step<T>): T => {
    if (entry) entries.set(id, entry)
    else entries.delete(id)
    return result
  }
  return {
    acquire: (id, claim) => apply(id, acquire(entries.get(id), claim, now())),
    renew: (id, owner, leaseMs) => apply(id, renew(entries.get(id), owner, leaseMs, now())),
    checkpoint: (id, owner, name, value) => apply(id, checkpoint(entries.get(id), owner, name, value)),
    complete: (id, owner, answer, ttlMs) => apply(id, complete(entries.get(id), owner, answer, ttlMs, now())),
    release: (id, owner) => apply(id, release(entries.get(id), owner)),
    inspect: (id) => statusOf(id, entries.get(id)),
    evict: (id) => entries.delete(id),
  }
}

function statusOf(id: string, entry: Entry | undefined): KeyStatus | undefined {
  if (!entry) return undefined
  const { state, fingerprint, generation, leaseUntil, expiresAt, checkpoints } = entry
  return { id, state, fingerprint, generation, leaseUntil, expiresAt, checkpoints: [...checkpoints.keys()] }
}
