import { chain, type MaybePromise, orElse, quietly } from '../../internal/maybe-promise.ts'
import { createSteps, type TakeStep } from './checkpoints.ts'
import { type Publish, publishStored } from './events.ts'
import { abandon, type Hold, type Holder } from './hold.ts'
import { packResponse, type StoredResponse } from './response.ts'
import type { AcquireResult, Claim } from './state.ts'
import { withTimeout } from './timeout.ts'

/** The right to do the work of a key. It ends with `complete` or `release`, or when it expires. */
export interface Lease {
  /** The stored key: a hash of scope and key. */
  readonly id: string
  /** Number of the attempt, from 1; each takeover adds one. */
  readonly attempt: number
  /**
   * The client of the transaction that commits key, response and effects together, if the store
   * opened one.
   */
  readonly transaction: unknown
  /**
   * Stores the response for retries, and commits the transaction if the store opened one. Throws or
   * rejects with ERR_IDEMPOTENCY_LEASE_LOST if another attempt took over: roll back what can be
   * rolled back.
   */
  complete(response: StoredResponse, options?: CompleteOptions): MaybePromise<void>
  /** Releases the key and rolls back: the next attempt runs, from the last checkpoint. */
  release(): MaybePromise<void>
  /**
   * Takes a step once over all attempts: runs `take` and stores its result (a JSON value), or
   * returns the result that an earlier attempt stored.
   */
  checkpoint<T>(name: string, take: () => MaybePromise<T>): Promise<T>
}

/** Options for `lease.complete()`. */
export interface CompleteOptions {
  /**
   * `'rollback'`: store the response, and nothing of what was written in the transaction. A
   * transaction of the caller must have been rolled back before. @defaultValue 'commit'
   */
  effects?: 'commit' | 'rollback'
}

/** Terms of all leases of an engine. */
export interface LeaseTerms {
  heartbeat: Heartbeat
  /** Maximum number of beats of an attempt. */
  maxBeats: number
  /** Maximum time to wait for the store, in milliseconds. */
  timeoutMs: number
  /** Keys whose work is in progress in this process. */
  inProcess: { add(id: string): void; remove(id: string): void }
  publish: Publish
}

/** A lease until it ends. */
export interface LeaseState extends Holder {
  readonly hold: Hold
  readonly terms: LeaseTerms
  /** Position in the list of the heartbeat. */
  position: number
  /** Number of beats so far. */
  beats: number
  isOver?: boolean
  /** Set if the store failed to store the response: the work is done, and must not run again. */
  storeAgain?: () => MaybePromise<unknown>
}

/** Result of a claim that got the key. */
type Acquired = Extract<AcquireResult, { outcome: 'new' }>

/** Creates the lease of an attempt, which is renewed until it ends. */
export function createLease(
  id: string,
  claim: Claim,
  { attempt, checkpoints }: Acquired,
  hold: Hold,
  terms: LeaseTerms,
): Lease {
  const { tx } = hold
  const { inProcess, heartbeat, timeoutMs, publish } = terms
  const state: LeaseState = { id, claim, attempt, hold, terms, position: 0, beats: 0 }
  let steps: TakeStep | undefined
  publish({ type: attempt === 1 ? 'run' : 'takeover', id, attempt })
  inProcess.add(id)
  heartbeat.add(state)
  const confirm = (isHeld: boolean): void => publishStored(isHeld, id, attempt, publish)
  return {
    id,
    attempt,
    transaction: tx?.client,
    complete(response, { effects = 'commit' } = {}) {
      if (state.isOver && tx) return confirm(false)
      const store = () =>
        withTimeout(hold.complete(state, packResponse(response), effects === 'rollback'), timeoutMs, undefined, tx)
      const repeat = (): void => {
        state.storeAgain = () => chain(store(), (isHeld) => end(state) && confirm(isHeld))
      }
      return chain(endBy(store, state, hold.renew && repeat), confirm)
    },
    release() {
      if (state.isOver || state.storeAgain) return
      return chain(
        endBy(() => withTimeout(hold.release(state), timeoutMs, undefined, tx), state),
        () => publish({ type: 'released', id, attempt }),
      )
    },
    checkpoint(name, take) {
      // A transaction that has ended holds nothing that the store could check.
      const save = (packed: string) =>
        state.isOver && tx ? false : withTimeout(hold.checkpoint(state, packed), timeoutMs)
      steps ??= createSteps(checkpoints, save)
      return steps(name, take)
    },
  }
}

/** Creates a lease without a key: the store failed, and the work runs anyway. */
export function createUnprotectedLease(id: string): Lease {
  return {
    id,
    attempt: 1,
    transaction: undefined,
    complete() {},
    release() {},
    checkpoint: createSteps('', () => true),
  }
}

/** Renews leases at intervals. */
export interface Heartbeat {
  add(lease: LeaseState): void
  remove(lease: LeaseState): void
}

/**
 * One timer for all leases of an engine, which runs only while there are any and keeps no process
 * alive.
 */
export function createHeartbeat(everyMs: number): Heartbeat {
  // A Set would give each lease a hash, which takes longer than to add and remove it here.
  const leases: LeaseState[] = []
  let timer: NodeJS.Timeout | undefined
  // Most leases end between two beats: the timer runs until the next beat, instead of being set for
  // each lease.
  const beat = (): void => {
    for (const lease of [...leases]) renew(lease)
    if (leases.length > 0) return
    clearInterval(timer)
    timer = undefined
  }
  return {
    add(lease) {
      lease.position = leases.push(lease) - 1
      timer ??= setInterval(beat, everyMs).unref()
    },
    remove(lease) {
      const last = leases.pop()
      if (!last || last === lease) return
      last.position = lease.position
      leases[last.position] = last
    },
  }
}

/**
 * Renews a lease, unless its work takes too long: a lease expires automatically, and a transaction
 * must not stay open for a handler that never responds.
 */
function renew(state: LeaseState): void {
  const { hold, terms } = state
  const { tx } = hold
  if (++state.beats > terms.maxBeats) {
    if (tx) quietly(() => abandon(tx))
    end(state)
  } else
    quietly(
      () => hold.renew?.(state),
      (isHeld) => (isHeld ? state.storeAgain && quietly(state.storeAgain) : end(state)),
    )
}

/** Ends a lease. Returns `false` if it has ended before. */
function end(state: LeaseState): boolean {
  const { id, terms } = state
  if (state.isOver) return false
  state.isOver = true
  terms.heartbeat.remove(state)
  terms.inProcess.remove(id)
  return true
}

/** Ends a lease by a call of the store. If the call fails, `onFail` decides. */
function endBy<T>(call: () => MaybePromise<T>, state: LeaseState, onFail: () => unknown = () => end(state)) {
  const { id, attempt, terms } = state
  return chain(
    orElse(call, (error) => {
      onFail()
      terms.publish({ type: 'failed', id, attempt, error })
      throw error
    }),
    (result) => {
      end(state)
      return result
    },
  )
}
