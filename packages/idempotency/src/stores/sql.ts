import { chain, type MaybePromise, quietly } from '../../../internal/maybe-promise.ts'
import { type AcquireResult, acquire, type Claim, type KeyEntry } from '../state.ts'
import type { IdempotencyStore, KeyStatus } from '../store.ts'
import type { Row, SqlExecutor, TransactionSteps } from '../transaction.ts'
import { compileStatements, type Dialect } from './sql-statements.ts'

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
/** Each sweep checks or deletes at least twice as many keys, so expired keys do not pile up. */
const SWEEP_EVERY_CLAIMS = 250

/**
 * Creates the steps of an SQL store, for every database with INSERT ... ON CONFLICT ... RETURNING.
 */
export function sqlStore({ dialect, table, executor, now, sweep }: SqlParts): SqlStore {
  const run = compileStatements(dialect, table)
  const clock = (): number | null => (now ? now() : null)
  let claims = 0
  let sweptAt = Date.now()
  const sweepIfDue = (): void => {
    if (++claims < SWEEP_EVERY_CLAIMS && Date.now() - sweptAt < SWEEP_EVERY_MS) return
    claims = 0
    sweptAt = Date.now()
    quietly(() => sweep(clock()))
  }
  const look = (on: SqlExecutor, id: string, claim: Claim): MaybePromise<AcquireResult> =>
    chain(run.read(on, clock(), id), ([row]) => {
      if (!row) return { outcome: 'new', attempt: 1, checkpoints: '' }
      const [, result] = acquire(toEntry(row), claim, Number(row['now']))
      return result
    })
  const claimRow = (id: string, claim: Claim, tries: number): MaybePromise<AcquireResult> => {
    const { fingerprint, owner, leaseMs, ttlMs, onLeaseExpired } = claim
    const keepMs = Math.max(ttlMs, leaseMs)
    return chain(run.acquire(executor, id, fingerprint, owner, leaseMs, keepMs, onLeaseExpired, clock()), ([row]) => {
      if (row) return { outcome: 'new', attempt: Number(row['attempt']), checkpoints: String(row['checkpoints']) }
      if (tries === 0) throw new Error('a key changed hands too often')
      return chain(look(executor, id, claim), (seen) =>
        seen.outcome === 'new' ? claimRow(id, claim, tries - 1) : seen,
      )
    })
  }
  const lookInside = (tx: SqlExecutor, id: string, claim: Claim): MaybePromise<AcquireResult> => {
    if (!run.lock) return look(tx, id, claim)
    return chain(run.lock(tx, id), ([lock]) =>
      lock?.['free'] === false ? { outcome: 'busy', leaseLeftMs: claim.leaseMs } : look(tx, id, claim),
    )
  }

  return {
    acquire(id, claim) {
      sweepIfDue()
      return claimRow(id, claim, MAX_TRIES)
    },
    renew: (id, owner, leaseMs) => chain(run.renew(executor, id, owner, leaseMs, clock()), hasRow),
    checkpoint: (id, owner, checkpoints) => chain(run.checkpoint(executor, id, owner, checkpoints), hasRow),
    complete: (id, owner, response, ttlMs) =>
      chain(run.complete(executor, toBytes(response), ttlMs, id, owner, clock()), hasRow),
    release: (id, owner) =>
      chain(run.deleteLocked(executor, id, owner), (rows) =>
        hasRow(rows) ? true : chain(run.release(executor, id, owner), hasRow),
      ),
    inspect: (id) => chain(run.inspect(executor, id, clock()), ([row]) => row && toStatus(row)),
    list: (limit) => chain(run.list(executor, clock(), limit), (rows) => rows.map(toStatus)),
    delete: (id) => chain(run.delete(executor, id), hasRow),
    within: (tx = executor) => ({
      acquire(id, claim) {
        sweepIfDue()
        return lookInside(tx, id, claim)
      },
      complete: (id, { fingerprint, ttlMs }, attempt, response) =>
        chain(run.insertDone(tx, id, fingerprint, attempt, ttlMs, toBytes(response), clock()), hasRow),
      checkpoint: (id, { fingerprint, ttlMs }, attempt, checkpoints) =>
        chain(run.insertReleased(tx, id, fingerprint, attempt, ttlMs, checkpoints, clock()), hasRow),
    }),
  }
}

function hasRow(rows: readonly Row[]): boolean {
  return rows.length > 0
}

function toBytes(response: string): Uint8Array {
  return Buffer.from(response, 'latin1')
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
