import { setTimeout as sleep } from 'node:timers/promises'
import { chain, type MaybePromise, runSteps, type Steps } from '../../internal/maybe-promise.ts'
import type { BeginInside } from './begin-inside.ts'
import type { BeginInput, BeginResult, ReplayedResponse } from './begin-result.ts'
import { isIdempotencyError, storeDown } from './errors.ts'
import type { CompleteOptions, Lease } from './lease.ts'
import type { StoredResponse } from './response.ts'
import type { SqlExecutor } from './transaction.ts'

/** Context of work under a key. */
export interface JobContext<Tx = unknown> extends Pick<Lease, 'attempt' | 'checkpoint'> {
  /**
   * The transaction that commits key, response and effects together, if there is one: of the caller
   * or of the store.
   */
  readonly transaction: Tx
}

/** A value in the form in which it is stored. */
export interface SerializedResult extends StoredResponse, CompleteOptions {}

/** Options for `run()`. */
export interface RunOptions<T, Tx = unknown> {
  /**
   * Opens a transaction of the caller and calls `use` in it. Commit when `use` returns or resolves,
   * and roll back when it throws or rejects. Key, response and effects are then committed together.
   * Called for each attempt.
   * @defaultValue none; with the option `transaction` of the engine, one of the store
   */
  transaction?: <R>(use: (tx: Tx, executor: SqlExecutor) => MaybePromise<R>) => MaybePromise<R>
  /**
   * Whether an error is stored in the same `transaction` of the caller, after a rollback to a
   * savepoint: no retry can run the work in between. With `false` the transaction is rolled back
   * and the error is stored in another one, so that work that succeeds costs a statement less.
   * @defaultValue true
   */
  savepoint?: boolean
  /**
   * Returns how a value is stored; `undefined` does not store it, and releases the key. Effects are
   * committed if its status is below 400, unless `effects` says otherwise. @defaultValue as JSON,
   * with status 200
   */
  serialize?: (value: T) => MaybePromise<SerializedResult | undefined>
  /**
   * Returns the value of a stored response, or throws the stored error. @defaultValue parses JSON
   */
  deserialize?: (response: ReplayedResponse) => MaybePromise<T>
  /**
   * Returns how an error of the work is stored, so that retries fail alike; `undefined` does not
   * store it, and a retry runs again. Effects are rolled back in both cases. @defaultValue no error
   * is stored
   */
  serializeError?: (error: unknown) => MaybePromise<StoredResponse | undefined>
}

/** Result of `run()`. */
export interface RunResult<T> {
  /** The value, of this run or of an earlier one. */
  readonly value: T
  /** Whether the value is that of an earlier run. */
  readonly replayed: boolean
  /** Whether the call waited for another run with the key. */
  readonly waited: boolean
}

/** Runs work under a key. */
export type Run = <T, Tx = unknown>(
  input: BeginInput,
  work: (context: JobContext<Tx>) => MaybePromise<T>,
  options?: RunOptions<T, Tx>,
) => MaybePromise<RunResult<T>>

/** Replays of one key in concurrent transactions see each other as busy for a moment. */
const MIN_WAIT_MS = 250
const FIRST_PAUSE_MS = 15
const MAX_PAUSE_MS = 250

/** Creates the function that runs work under keys. */
export function createRun(
  begin: (input: BeginInput) => MaybePromise<BeginResult>,
  beginInside: BeginInside,
  now: () => number,
): Run {
  return <T, Tx>(
    input: BeginInput,
    work: (context: JobContext<Tx>) => MaybePromise<T>,
    options: RunOptions<T, Tx> = {},
  ): MaybePromise<RunResult<T>> => {
    const { transaction } = options
    if (transaction) return runSteps(inTransactions(beginInside, now, input, work, { ...options, transaction }))
    return chain(begin(input), (result) => {
      if (result.outcome === 'refused') throw result.error
      return result.outcome === 'replay' ? toReplay(result, options) : runSteps(underLease(result.lease, work, options))
    })
  }
}

type Work<T, Tx> = (context: JobContext<Tx>) => MaybePromise<T>

/** Work under a lease, or in a transaction that the store has opened. */
function* underLease<T, Tx>(
  lease: Lease,
  work: Work<T, Tx>,
  { serialize = toJson, serializeError }: RunOptions<T, Tx>,
): Steps<RunResult<T>> {
  const { attempt, checkpoint } = lease
  let value: T
  let serialized: SerializedResult | undefined
  try {
    value = (yield work({ attempt, checkpoint, transaction: lease.transaction as Tx })) as T
    // What cannot be serialized fails like the work itself.
    serialized = (yield serialize(value)) as typeof serialized
  } catch (error) {
    try {
      const stored = (yield serializeError?.(error)) as StoredResponse | undefined
      yield stored ? lease.complete(stored, { effects: 'rollback' }) : lease.release()
    } catch {
      // The error of the work counts.
    }
    throw error
  }
  try {
    yield serialized ? lease.complete(serialized, { effects: resolveEffects(serialized) }) : lease.release()
  } catch (error) {
    if (isIdempotencyError(error, /^ERR_IDEMPOTENCY_LEASE_LOST$/)) throw error
    // Without a transaction the work is done, whatever the store reports.
    if (lease.transaction !== undefined) throw storeDown(error)
  }
  return { value, replayed: false, waited: false }
}

type WithTransaction<T, Tx> = RunOptions<T, Tx> & Required<Pick<RunOptions<T, Tx>, 'transaction'>>

/**
 * Result of a transaction of the caller. A stored error is returned, so that the transaction
 * commits.
 */
type Outcome<T> = RunResult<T> | { error: unknown }

/** Work whose transaction is rolled back: its outcome, and what another transaction stores. */
interface Undone<T> {
  outcome: Outcome<T>
  stored: StoredResponse | undefined
}

/** Runs work in a transaction of the caller, and again while another transaction holds the key. */
function* inTransactions<T, Tx>(
  begin: BeginInside,
  now: () => number,
  input: BeginInput,
  work: Work<T, Tx>,
  options: WithTransaction<T, Tx>,
): Steps<RunResult<T>> {
  const until = now() + Math.max(input.maxWaitMs ?? 0, MIN_WAIT_MS)
  // A transaction that waits would hold its connection: the caller looks again.
  const look: BeginInput = { ...input, maxWaitMs: 0 }
  const rollback: { undone?: Undone<T> } = {}
  for (let round = 0; ; round++) {
    const { undone } = rollback
    let outcome: Outcome<T>
    try {
      outcome = (yield options.transaction((tx, executor) =>
        runSteps(inTransaction(begin(look, executor), tx, executor, work, options, rollback)),
      )) as Outcome<T>
    } catch (error) {
      const latest = rollback.undone
      if (!latest || latest === undone) {
        const leftMs = until - now()
        // Another attempt is in progress, or was faster: there will be a response to return.
        const isBusy = isIdempotencyError(error, /^ERR_IDEMPOTENCY_(IN_PROGRESS|LEASE_LOST)$/)
        if (!isBusy || leftMs <= 0) throw error
        yield sleep(Math.min(leftMs, MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** round))
        continue
      }
      if (latest.stored) continue
      outcome = latest.outcome
    }
    if ('error' in outcome) throw outcome.error
    return round === 0 ? outcome : { ...outcome, waited: outcome.replayed && input.maxWaitMs !== undefined }
  }
}

/** The work in one transaction; after a rollback, what is stored of it. */
function* inTransaction<T, Tx>(
  begun: MaybePromise<BeginResult>,
  tx: Tx,
  executor: SqlExecutor,
  work: Work<T, Tx>,
  options: RunOptions<T, Tx>,
  rollback: { undone?: Undone<T> },
): Steps<Outcome<T>> {
  const result = (yield begun) as BeginResult
  if (result.outcome === 'refused') throw result.error
  if (result.outcome === 'replay') return (yield toReplay(result, options)) as RunResult<T>
  const { attempt, checkpoint, complete } = result.lease
  const { undone } = rollback
  if (undone?.stored) {
    yield complete(undone.stored)
    return undone.outcome
  }
  const { serialize = toJson, serializeError, savepoint = true } = options
  const undo = (outcome: Outcome<T>, stored?: StoredResponse): MaybePromise<unknown> => {
    if (savepoint) return executor.query('ROLLBACK TO SAVEPOINT svc_work', [])
    rollback.undone = { outcome, stored }
    throw new Error('idempotency: run: the transaction is rolled back')
  }
  let value: T
  let serialized: SerializedResult | undefined
  try {
    if (savepoint && (serialize !== toJson || serializeError)) yield executor.query('SAVEPOINT svc_work', [])
    value = (yield work({ attempt, checkpoint, transaction: tx })) as T
    serialized = (yield serialize(value)) as typeof serialized
  } catch (error) {
    const stored = (yield serializeError?.(error)) as StoredResponse | undefined
    if (!stored) throw error
    try {
      yield undo({ error }, stored)
    } catch {
      // Some errors of a database end its transaction, and there is no savepoint any longer.
      throw error
    }
    yield complete(stored)
    return { error }
  }
  const outcome: RunResult<T> = { value, replayed: false, waited: false }
  if (!serialized || resolveEffects(serialized) === 'rollback') yield undo(outcome, serialized)
  if (serialized) yield complete(serialized)
  return outcome
}

function toReplay<T>(
  { response, waited }: Extract<BeginResult, { outcome: 'replay' }>,
  { deserialize = fromJson }: { deserialize?: (response: ReplayedResponse) => MaybePromise<T> },
): MaybePromise<RunResult<T>> {
  return chain(deserialize(response), (value) => ({ value, replayed: true, waited }))
}

function resolveEffects({ status, effects }: SerializedResult): 'commit' | 'rollback' {
  return effects ?? (status < 400 ? 'commit' : 'rollback')
}

function toJson(value: unknown): SerializedResult {
  return { status: 200, headers: [], body: Buffer.from(JSON.stringify(value ?? null)) }
}

function fromJson<T>({ body }: ReplayedResponse): T {
  return JSON.parse(Buffer.from(body).toString()) as T
}
