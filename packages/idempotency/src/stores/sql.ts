import { isPromise } from '../../../internal/guard.ts'
import { chain, type MaybePromise, quietly } from '../../../internal/maybe-promise.ts'
import { type AcquireResult, acquire, type Claim, type KeyEntry } from '../state.ts'
import type { IdempotencyStore, KeyStatus } from '../store.ts'
import type { Row, SqlExecutor, TransactionSteps } from '../transaction.ts'
import { type Dialect, writeStatements } from './sql-statements.ts'

export interface SqlParts {
  dialect: Dialect
  /** Name of the table, as it is written in SQL. */
  table: string
  /** Runs single statements, each committed on its own. */
  executor: SqlExecutor
  /** Returns the current time; `undefined` for the clock of the database. */
  now: (() => number) | undefined
  /** Deletes some expired keys, in a bounded time. */
  sweep: (now: number | null) => MaybePromise<unknown>
}

/** The part of an SQL store that does not depend on the driver. */
export interface SqlStore extends Omit<IdempotencyStore, 'open' | 'within'> {
  within(tx?: SqlExecutor): TransactionSteps
}

/** A row that prevents a claim can be gone when it is read. The claim is then repeated. */
const MAX_TRIES = 5
const SWEEP_EVERY_MS = 60_000
/** Each sweep can check or delete twice as many keys, so expired keys do not pile up. */
const SWEEP_EVERY_CLAIMS = 250
/** SQLite's message for a key that exists: an expired one, or one that was stored meanwhile. */
const TAKEN = 'UNIQUE constraint failed'
const NO_CHECKPOINT =
  'idempotency: sqliteStore: a checkpoint cannot outlive the transaction it is taken in; use a lease (transaction: false)'

/**
 * Creates the steps of an SQL store, for every database with INSERT ... ON CONFLICT ... RETURNING.
 */
export function sqlStore({ dialect, table, executor, now: clock, sweep }: SqlParts): SqlStore {
  const sql = writeStatements(dialect, table)
  const change = (on: SqlExecutor, text: string, values: unknown[], hasChanged?: string): MaybePromise<boolean> => {
    const rows = query(on, text, values)
    if (hasChanged === undefined) return isPromise(rows) ? rows.then(hasRow) : rows.length > 0
    return isPromise(rows) ? rows.then(() => change(on, hasChanged, [])) : change(on, hasChanged, [])
  }
  let claims = 0
  let sweptAt = Date.now()
  const sweepIfDue = (now: number | null): void => {
    if (++claims < SWEEP_EVERY_CLAIMS && Date.now() - sweptAt < SWEEP_EVERY_MS) return
    claims = 0
    sweptAt = Date.now()
    quietly(() => sweep(now))
  }
  const look = (on: SqlExecutor, id: string, claim: Claim, now: number | null): MaybePromise<AcquireResult> => {
    const rows = query(on, sql.read, [now, id])
    return isPromise(rows) ? rows.then((loaded) => toResult(loaded, claim)) : toResult(rows, claim)
  }
  const claimRow = (id: string, claim: Claim, tries: number): MaybePromise<AcquireResult> => {
    const { fingerprint, owner, leaseMs, ttlMs, onLeaseExpired } = claim
    const now = clock?.() ?? null
    const keepMs = Math.max(ttlMs, leaseMs)
    const values = [id, fingerprint, owner, now, leaseMs, now, keepMs, now, now, now, now, now, onLeaseExpired]
    return chain(query(executor, sql.acquire, values), ([row]) => {
      if (row) return { outcome: 'new', attempt: Number(row['attempt']), checkpoints: String(row['checkpoints']) }
      if (tries === 0) throw new Error('a key changed hands too often')
      return chain(look(executor, id, claim, now), (seen) =>
        seen.outcome === 'new' ? claimRow(id, claim, tries - 1) : seen,
      )
    })
  }

  return {
    acquire(id, claim) {
      sweepIfDue(clock?.() ?? null)
      return claimRow(id, claim, MAX_TRIES)
    },
    renew(id, owner, leaseMs) {
      const now = clock?.() ?? null
      return change(executor, sql.renew, [now, leaseMs, now, leaseMs, now, leaseMs, id, owner])
    },
    checkpoint: (id, owner, checkpoints) => change(executor, sql.checkpoint, [checkpoints, id, owner]),
    complete: (id, owner, response, ttlMs) =>
      change(executor, sql.complete, [clock?.() ?? null, ttlMs, Buffer.from(response, 'latin1'), id, owner]),
    release: (id, owner) =>
      chain(
        change(executor, sql.deleteLocked, [id, owner]),
        (isDeleted) => isDeleted || change(executor, sql.release, [id, owner]),
      ),
    inspect: (id) => chain(query(executor, sql.inspect, [id, clock?.() ?? null]), ([row]) => row && toStatus(row)),
    list: (limit) => chain(query(executor, sql.list, [clock?.() ?? null, limit]), (rows) => rows.map(toStatus)),
    delete: (id) => change(executor, sql.delete, [id]),
    within: (tx = executor) => ({
      // While a transaction that excludes all others waits for a key, its holder could not write.
      canWait: sql.lock !== undefined,
      acquire(id, claim) {
        const now = clock?.() ?? null
        sweepIfDue(now)
        if (!sql.lock) return look(tx, id, claim, now)
        return chain(query(tx, sql.lock, [id]), ([lock]) =>
          lock?.['free'] === false ? { outcome: 'busy', leaseLeftMs: claim.leaseMs } : look(tx, id, claim, now),
        )
      },
      complete(id, { fingerprint, ttlMs }, attempt, response) {
        const now = clock?.() ?? null
        const values = [id, fingerprint, attempt, now, ttlMs, Buffer.from(response, 'latin1')]
        const replace = (error?: unknown): MaybePromise<boolean> => {
          if (error !== undefined && !String(error).includes(TAKEN)) throw error
          return change(tx, sql.insertDone, [...values, now, now], sql.hasChanged)
        }
        if (!sql.insertNew || attempt > 1) return replace()
        try {
          const inserted = query(tx, sql.insertNew, values)
          return isPromise(inserted) ? inserted.then(() => true, replace) : true
        } catch (error) {
          return replace(error)
        }
      },
      checkpoint(id, { fingerprint, ttlMs }, attempt, checkpoints) {
        // It is written outside the transaction, but no one else may write while that is open.
        if (!sql.lock) throw new Error(NO_CHECKPOINT)
        const now = clock?.() ?? null
        return change(
          tx,
          sql.insertReleased,
          [id, fingerprint, attempt, now, ttlMs, checkpoints, now, now],
          sql.hasChanged,
        )
      },
    }),
  }
}

/** Runs a statement, and returns its rows. */
export function query(on: SqlExecutor, text: string, values: unknown[]): MaybePromise<readonly Row[]> {
  const result = on.query(text, values)
  return Array.isArray(result) ? result : chain(result, toRows)
}

function toRows(result: readonly Row[] | { readonly rows: readonly Row[] }): readonly Row[] {
  return 'rows' in result ? result.rows : result
}

function hasRow(rows: readonly Row[]): boolean {
  return rows.length > 0
}

function toResult([row]: readonly Row[], claim: Claim): AcquireResult {
  if (!row) return { outcome: 'new', attempt: 1, checkpoints: '' }
  return acquire(toEntry(row), claim, Number(row['now']))[1]
}

function toEntry(row: Row): KeyEntry {
  const { state, fingerprint, attempt, leaseUntil, expiresAt } = toStatus(row)
  const base = { fingerprint, attempt, expiresAt }
  const checkpoints = String(row['checkpoints'])
  if (state === 'locked') return { ...base, state, owner: String(row['owner']), leaseUntil, checkpoints }
  if (state === 'released') return { ...base, state, checkpoints }
  return { ...base, state, response: toText(row['response']) }
}

function toText(response: unknown): string {
  if (!(response instanceof Uint8Array)) throw new TypeError('idempotency: the column response must contain bytes')
  return Buffer.from(response.buffer, response.byteOffset, response.byteLength).toString('latin1')
}

// Drivers return 64-bit integers as a string, a BigInt or a number.
function toStatus(row: Row): KeyStatus {
  return {
    id: String(row['id']),
    state: row['state'] as KeyEntry['state'],
    fingerprint: String(row['fingerprint']),
    attempt: Number(row['attempt']),
    leaseUntil: Number(row['lease_until']),
    expiresAt: Number(row['expires_at']),
  }
}
