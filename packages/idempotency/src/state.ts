/** What is known of a key: somebody works on it, or nobody does and steps already taken are kept, or it is answered. */
export type KeyEntry = LockedEntry | ReleasedEntry | DoneEntry

interface Known {
  /** What makes two requests the same. */
  readonly fingerprint: string
  /** Number of attempts. */
  readonly attempt: number
  /** Milliseconds. */
  readonly expiresAt: number
}

export interface LockedEntry extends Known {
  /** Somebody works on it, or did and went silent. */
  readonly state: 'locked'
  /** Who holds the lease: a name that no other attempt ever has. */
  readonly owner: string
  /** Milliseconds. */
  readonly leaseUntil: number
  /** The packed results of steps that a later attempt must not take again; empty without any. */
  readonly checkpoints: string
}

export interface ReleasedEntry extends Known {
  /** Nobody works on it: the next attempt may. */
  readonly state: 'released'
  readonly checkpoints: string
}

export interface DoneEntry extends Known {
  /** It is answered. */
  readonly state: 'done'
  /** The packed response. */
  readonly response: string
}

/** Request of an attempt for a key. */
export interface Claim {
  /** What makes two requests the same. */
  readonly fingerprint: string
  /** Names the attempt: nobody else may finish it. */
  readonly owner: string
  /** How long the owner keeps the key without a sign of life. */
  readonly leaseMs: number
  /** How long the key is kept, counted from the claim and again from the response. */
  readonly ttlMs: number
  /** What happens to a key whose owner went silent: the next attempt takes it over, or every attempt is refused. */
  readonly onLeaseExpired: 'retry' | 'reject'
}

/**
 * What an attempt gets: the key (`attempt` counts attempts from 1, `checkpoints` are the steps that earlier ones
 * kept), the response that is there already, or a reason why neither: its owner is at work, went silent, or the request
 * is another.
 */
export type AcquireResult =
  | { outcome: 'new'; attempt: number; checkpoints: string }
  | { outcome: 'done'; response: string }
  | { outcome: 'busy'; leaseLeftMs: number }
  | { outcome: 'orphan' }
  | { outcome: 'mismatch' }

/** One step of the machine: the entry as it is afterwards, and what the step gave. */
export type Step<T> = readonly [entry: KeyEntry | undefined, result: T]

/** An attempt wants the key. */
export function acquire(found: KeyEntry | undefined, claim: Claim, now: number): Step<AcquireResult> {
  const entry = found && found.expiresAt > now ? found : undefined
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

/** The owner is still at work. `false`: the key is somebody else's now. */
export function renew(entry: KeyEntry | undefined, owner: string, leaseMs: number, now: number): Step<boolean> {
  if (!isHeldBy(entry, owner)) return [entry, false]
  const leaseUntil = now + leaseMs
  return [{ ...entry, leaseUntil, expiresAt: Math.max(entry.expiresAt, leaseUntil) }, true]
}

/** The owner took a step that must not be taken again. */
export function checkpoint(entry: KeyEntry | undefined, owner: string, checkpoints: string): Step<boolean> {
  return isHeldBy(entry, owner) ? [{ ...entry, checkpoints }, true] : [entry, false]
}

/** The owner has an response. `false`: a later attempt took over, and its response is the one that counts. */
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

/** The owner gives up: as if nothing had been asked, but for the steps taken. */
export function release(entry: KeyEntry | undefined, owner: string): Step<boolean> {
  if (!isHeldBy(entry, owner)) return [entry, false]
  const { fingerprint, attempt, expiresAt, checkpoints } = entry
  if (checkpoints === '') return [undefined, true]
  return [{ state: 'released', fingerprint, attempt, expiresAt, checkpoints }, true]
}

// A lease that ran out still is its owner's until another attempt takes it.
function isHeldBy(entry: KeyEntry | undefined, owner: string): entry is LockedEntry {
  return entry?.state === 'locked' && entry.owner === owner
}
