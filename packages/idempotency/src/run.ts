import { setTimeout as sleep } from 'node:timers/promises'
import { isPromise } from '../../internal/guard.ts'
import { chain, type MaybePromise, orElse } from '../../internal/maybe-promise.ts'
import type { BeginInput, BeginResult, ReplayedResponse } from './begin-result.ts'
import { storeDown } from './errors.ts'
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
   * Called for each attempt. An error is stored after the work has been rolled back to a savepoint,
   * in the same transaction.
   * @defaultValue none; with the option `transaction` of the engine, one of the store
   */
  transaction?: <R>(use: (tx: Tx, executor: SqlExecutor) => MaybePromise<R>) => MaybePromise<R>
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

type Begin = (input: BeginInput, tx?: SqlExecutor) => MaybePromise<BeginResult>

/** Replays of one key in concurrent transactions see each other as busy for a moment. */
const MIN_WAIT_MS = 250
const FIRST_PAUSE_MS = 15
const MAX_PAUSE_MS = 250

/** Creates the function that runs work under keys. */
export function createRun(begin: Begin, now: () => number): Run {
  return <T, Tx>(
    input: BeginInput,
    work: (context: JobContext<Tx>) => MaybePromise<T>,
    options: RunOptions<T, Tx> = {},
  ): MaybePromise<RunResult<T>> => {
    const { transaction } = options
    if (transaction) return runInTransactions(begin, now, input, work, { ...options, transaction })
    return chain(begin(input), (result) => {
      if (result.outcome === 'refused') throw result.error
      return result.outcome === 'replay' ? toReplay(result, options) : runLeased(result.lease, work, options)
    })
  }
}

type Work<T, Tx> = (context: JobContext<Tx>) => MaybePromise<T>

/** Work under a lease, or in a transaction that the store has opened. */
function runLeased<T, Tx>(lease: Lease, work: Work<T, Tx>, options: RunOptions<T, Tx>): MaybePromise<RunResult<T>> {
  const { serialize = toJson, serializeError } = options
  const context: JobContext<Tx> = {
    attempt: lease.attempt,
    checkpoint: lease.checkpoint,
    transaction: lease.transaction as Tx,
  }
  const hasTransaction = lease.transaction !== undefined
  const fail = (error: unknown): MaybePromise<never> => {
    const rethrow = (): never => {
      throw error
    }
    const stored = orElse(
      () => chain(serializeError?.(error), (response) => (response ? storeError(lease, response) : lease.release())),
      rethrow,
    )
    return chain(stored, rethrow)
  }
  const succeed = (value: T): MaybePromise<RunResult<T>> => {
    const done = (): RunResult<T> => ({ value, replayed: false, waited: false })
    const end = (result: SerializedResult | undefined): MaybePromise<void> =>
      result ? lease.complete(result, { effects: resolveEffects(result) }) : lease.release()
    // What cannot be serialized fails like the work itself.
    const serialized = orElse<SerializedResult | undefined>(() => serialize(value), fail)
    return chain(serialized, (result) =>
      chain(
        orElse(
          () => end(result),
          (error) => {
            if (isLeaseLost(error)) throw error
            // Without a transaction the work is done, whatever the store reports.
            if (hasTransaction) throw storeDown(error)
          },
        ),
        done,
      ),
    )
  }
  let value: MaybePromise<T>
  try {
    value = work(context)
  } catch (error) {
    return fail(error)
  }
  return isPromise(value) ? value.then(succeed, fail) : succeed(value)
}

type WithTransaction<T, Tx> = RunOptions<T, Tx> & Required<Pick<RunOptions<T, Tx>, 'transaction'>>

/** Runs work in a transaction of the caller, and again while another transaction holds the key. */
function runInTransactions<T, Tx>(
  begin: Begin,
  now: () => number,
  input: BeginInput,
  work: Work<T, Tx>,
  options: WithTransaction<T, Tx>,
): MaybePromise<RunResult<T>> {
  const until = now() + Math.max(input.maxWaitMs ?? 0, MIN_WAIT_MS)
  const attempt = (round: number): MaybePromise<RunResult<T>> =>
    orElse(
      () => runInTransaction(begin, input, work, options),
      (error) => {
        const leftMs = until - now()
        if (!isBusy(error) || leftMs <= 0) throw error
        const again = sleep(Math.min(leftMs, MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** round)).then(() => attempt(round + 1))
        return again.then((result) => ({ ...result, waited: result.replayed && input.maxWaitMs !== undefined }))
      },
    )
  return attempt(0)
}

/** The work in one transaction. A stored error is returned, so that the transaction commits. */
function runInTransaction<T, Tx>(
  begin: Begin,
  input: BeginInput,
  work: Work<T, Tx>,
  options: WithTransaction<T, Tx>,
): MaybePromise<RunResult<T>> {
  const outcome = options.transaction(
    (tx, executor): MaybePromise<RunResult<T> | { error: unknown }> =>
      // A transaction that waits would hold its connection: the caller looks again.
      chain(begin({ ...input, maxWaitMs: 0 }, executor), (result) => {
        if (result.outcome === 'refused') throw result.error
        if (result.outcome === 'replay') return toReplay(result, options)
        return runWork(result.lease, tx, executor, work, options)
      }),
  )
  return chain(outcome, (result) => {
    if ('error' in result) throw result.error
    return result
  })
}

function runWork<T, Tx>(
  { attempt, checkpoint, complete }: Lease,
  tx: Tx,
  executor: SqlExecutor,
  work: Work<T, Tx>,
  { serialize = toJson, serializeError }: RunOptions<T, Tx>,
): MaybePromise<RunResult<T> | { error: unknown }> {
  const context: JobContext<Tx> = { attempt, checkpoint, transaction: tx }
  const canUndo = serialize !== toJson || serializeError !== undefined
  const undo = (): MaybePromise<unknown> => executor.query('ROLLBACK TO SAVEPOINT svc_work', [])
  const callWork = (): MaybePromise<T> => work(context)
  const succeed = (value: T, serialized: SerializedResult | undefined): MaybePromise<RunResult<T>> => {
    const store = (): MaybePromise<RunResult<T>> =>
      chain(serialized && complete(serialized), () => ({ value, replayed: false, waited: false }))
    return !serialized || resolveEffects(serialized) === 'rollback' ? chain(undo(), store) : store()
  }
  const fail = (error: unknown): MaybePromise<{ error: unknown }> =>
    chain(serializeError?.(error), (stored) => {
      if (!stored) throw error
      return chain(succeeds(undo), (isUndone) => {
        if (!isUndone) throw error
        return chain(complete(stored), () => ({ error }))
      })
    })
  const done = orElse<{ value: T; serialized: SerializedResult | undefined } | { error: unknown }>(
    () =>
      chain(canUndo ? chain(executor.query('SAVEPOINT svc_work', []), callWork) : callWork(), (value) =>
        chain(serialize(value), (serialized) => ({ value, serialized })),
      ),
    fail,
  )
  return chain(done, (result) => ('error' in result ? result : succeed(result.value, result.serialized)))
}

/**
 * Whether a call succeeds. Some errors of a database end its transaction, and there is no savepoint
 * any longer.
 */
function succeeds(call: () => MaybePromise<unknown>): MaybePromise<boolean> {
  return orElse(
    () => chain(call(), () => true),
    () => false,
  )
}

function toReplay<T>(
  { response, waited }: Extract<BeginResult, { outcome: 'replay' }>,
  { deserialize = fromJson }: { deserialize?: (response: ReplayedResponse) => MaybePromise<T> },
): MaybePromise<RunResult<T>> {
  return chain(deserialize(response), (value) => ({ value, replayed: true, waited }))
}

function storeError(lease: Lease, response: StoredResponse): MaybePromise<void> {
  return lease.complete(response, { effects: 'rollback' })
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

function isLeaseLost(error: unknown): boolean {
  return hasCode(error, 'ERR_IDEMPOTENCY_LEASE_LOST')
}

/** Another attempt is in progress, or was faster: there will be a response to return. */
function isBusy(error: unknown): boolean {
  return hasCode(error, 'ERR_IDEMPOTENCY_IN_PROGRESS') || isLeaseLost(error)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
