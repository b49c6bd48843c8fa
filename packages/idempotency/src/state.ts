/** Entry of a key: its work is in progress, or was released after checkpoints, or is done. */
export type KeyEntry = LockedEntry | ReleasedEntry | DoneEntry

interface BaseEntry {
  /** Fingerprint of the request. */
  readonly fingerprint: string
  /** Number of attempts. */
  readonly attempt: number
  /** End of the lifetime, in milliseconds since 1970. */
  readonly expiresAt: number
}

export interface LockedEntry extends BaseEntry {
  /** The work is in progress, or its process is gone. */
  readonly state: 'locked'
  /** Holder of the lease: a name that no other attempt has. */
  readonly owner: string
  /** End of the lease, in milliseconds since 1970. */
  readonly leaseUntil: number
  /** Packed results of steps that a later attempt must not repeat; empty if there are none. */
  readonly checkpoints: string
}

export interface ReleasedEntry extends BaseEntry {
  /** The next attempt may run. */
  readonly state: 'released'
  readonly checkpoints: string
}

export interface DoneEntry extends BaseEntry {
  /** The response is stored. */
  readonly state: 'done'
  /** The packed response. */
  readonly response: string
}

/** Request of an attempt for a key. */
export interface Claim {
  /** Fingerprint of the request, as `createFingerprint` returns it. */
  readonly fingerprint: string
  /** Name of the attempt: no other attempt can complete it. */
  readonly owner: string
  /** Time after which the lease expires unless it is renewed, in milliseconds. */
  readonly leaseMs: number
  /** Lifetime of the key in milliseconds, from the claim and again from the response. */
  readonly ttlMs: number
  /**
   * Policy for a key whose lease has expired: the next attempt takes over, or every attempt is
   * rejected.
   */
  readonly onLeaseExpired: 'retry' | 'reject'
}

/**
 * Result of a claim. `new`: the key, with the number of the attempt from 1 and the checkpoints of
 * earlier ones. `done`: the stored response. `busy`: the work is in progress. `orphan`: its lease
 * has expired. `mismatch`: the key belongs to another request.
 */
export type AcquireResult =
  | { outcome: 'new'; attempt: number; checkpoints: string }
  | { outcome: 'done'; response: string }
  | { outcome: 'busy'; leaseLeftMs: number }
  | { outcome: 'orphan' }
  | { outcome: 'mismatch' }

/** One step of the state machine: the next entry, and the result. */
export type Step<T> = readonly [entry: KeyEntry | undefined, result: T]

/** Claims the key. */
export function acquire(stored: KeyEntry | undefined, claim: Claim, now: number): Step<AcquireResult> {
  const entry = stored && stored.expiresAt > now ? stored : undefined
  if (!entry) return take(claim, now, 1, '')
  if (entry.fingerprint !== claim.fingerprint) return [entry, { outcome: 'mismatch' }]
  if (entry.state === 'done') return [entry, { outcome: 'done', response: entry.response }]
  if (entry.state === 'locked') {
    const leaseLeftMs = entry.leaseUntil - now
    if (leaseLeftMs > 0) return [entry, { outcome: 'busy', leaseLeftMs }]
    if (claim.onLeaseExpired === 'reject') return [entry, { outcome: 'orphan' }]
  }
  return take(claim, now, entry.attempt + 1, entry.checkpoints)
}

function take(claim: Claim, now: number, attempt: number, checkpoints: string): Step<AcquireResult> {
  const { fingerprint, owner, leaseMs, ttlMs } = claim
  const leaseUntil = now + leaseMs
  const expiresAt = now + Math.max(ttlMs, leaseMs)
  const entry: KeyEntry = {
    state: 'locked',
    fingerprint,
    owner,
    attempt,
    leaseUntil,
    expiresAt,
    checkpoints,
  }
  return [entry, { outcome: 'new', attempt, checkpoints }]
}

/** Renews the lease. Returns `false` if another attempt has the key. */
export function renew(entry: KeyEntry | undefined, owner: string, leaseMs: number, now: number): Step<boolean> {
  if (!isHeldBy(entry, owner)) return [entry, false]
  const leaseUntil = now + leaseMs
  return [{ ...entry, leaseUntil, expiresAt: Math.max(entry.expiresAt, leaseUntil) }, true]
}

/** Stores the results of steps that must not be repeated. */
export function checkpoint(entry: KeyEntry | undefined, owner: string, checkpoints: string): Step<boolean> {
  return isHeldBy(entry, owner) ? [{ ...entry, checkpoints }, true] : [entry, false]
}

/** Stores the response. Returns `false` if another attempt took over, whose response counts. */
export function complete(
  entry: KeyEntry | undefined,
  owner: string,
  response: string,
  ttlMs: number,
  now: number,
): Step<boolean> {
  if (!isHeldBy(entry, owner)) return [entry, false]
  const { fingerprint, attempt } = entry
  const expiresAt = now + ttlMs
  return [{ state: 'done', fingerprint, attempt, expiresAt, response }, true]
}

/** Releases the key: deletes it, or keeps it as `released` if it has checkpoints. */
export function release(entry: KeyEntry | undefined, owner: string): Step<boolean> {
  if (!isHeldBy(entry, owner)) return [entry, false]
  const { fingerprint, attempt, expiresAt, checkpoints } = entry
  if (checkpoints === '') return [undefined, true]
  return [{ state: 'released', fingerprint, attempt, expiresAt, checkpoints }, true]
}

// An expired lease belongs to its owner until another attempt takes over.
function isHeldBy(entry: KeyEntry | undefined, owner: string): entry is LockedEntry {
  return entry?.state === 'locked' && entry.owner === owner
}
