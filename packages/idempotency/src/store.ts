import type { Awaitable } from './chain.ts'
import type { Acquired, Claim, Entry } from './state.ts'

/** What an administrator sees of a key. */
export type KeyStatus = Pick<Entry, 'state' | 'fingerprint' | 'generation' | 'leaseUntil' | 'expiresAt'> & {
  /** The stored key: a hash of scope and key. */
  id: string
  /** Names of the steps already taken. */
  checkpoints: readonly string[]
}

/**
 * Where keys live. Every method is one atomic step of the machine in `state.ts`, so that of many attempts at one key,
 * in however many processes, one gets `new`. A store answers at once or with a promise; it throws or rejects where it
 * cannot be reached. `testing` has the cases that a store of your own must pass.
 */
export interface IdempotencyStore {
  acquire(id: string, claim: Claim): Awaitable<Acquired>
  renew(id: string, owner: string, leaseMs: number): Awaitable<boolean>
  checkpoint(id: string, owner: string, name: string, value: string): Awaitable<boolean>
  /** `answer` is a string of characters 0 to 255. */
  complete(id: string, owner: string, answer: string, ttlMs: number): Awaitable<boolean>
  release(id: string, owner: string): Awaitable<boolean>
  inspect(id: string): Awaitable<KeyStatus | undefined>
  /** Forgets a key, whatever its state. */
  evict(id: string): Awaitable<boolean>
}
