import { isPromise } from '../../../internal/guard.ts'
import { chain, type MaybePromise } from '../../../internal/maybe-promise.ts'
import { type AcquireResult, acquire, type Claim, type KeyEntry } from '../state.ts'
import type { IdempotencyStore, KeyStatus } from '../store.ts'
import type { Row, SqlExecutor, TransactionSteps } from '../transaction.ts'
import { type Dialect, statements } from './sql-statements.ts'

export interface SqlParts {
  dialect: Dialect
  /** Name of the table, as it is written in SQL. */
  table: string
  /** Runs statements one by one, each committed by itself. */
  executor: SqlExecutor
  /** The clock; `undefined`: that of the database. */
  now: (() => number) | undefined
}

/** A store on SQL, without what only the driver can do. */
export interface SqlStore extends Omit<IdempotencyStore, 'open' | 'within'> {
  /** Drops keys that have expired, at most a thousand at once; returns how many. Runs by itself once a minute. */
  sweep(): MaybePromise<number>
  within(tx?: SqlExecutor): TransactionSteps
}

// A row that stands in the way of a claim can be gone when it is looked at: then the claim is made again.
const MAX_TRIES = 5
const SWEEP_EVERY_MS = 60_000

/** The steps of a store on SQL, for every database that knows INSERT ... ON CONFLICT ... RETURNING. */
export function sqlStore({ dialect, table, executor, now }: SqlParts): SqlStore {
  const run = statements(dialect, table)
  const clock = (): { now: number | null } => ({ now: now ? now() : null })
  const sweep = (): MaybePromise<number> => chain(run.sweep(executor, clock()), (rows) => rows.length)
  let sweptAt = Date.now()

  const look = (on: SqlExecutor, id: string, claim: Claim): MaybePromise<AcquireResult> =>
    chain(run.read(on, { id, ...clock() }), ([row]) => {
      const [, result] = acquire(row && toEntry(row), claim, Number(row?.['now'] ?? 0))
      return result
    })
  const claimRow = (id: string, claim: Claim, tries: number): MaybePromise<AcquireResult> =>
    chain(
      run.acquire(executor, { id, ...claim, keepMs: Math.max(claim.ttlMs, claim.leaseMs), ...clock() }),
      ([row]) => {
        if (row) return { outcome: 'new', attempt: Number(row['attempt']), checkpoints: String(row['checkpoints']) }
        if (tries === 0) throw new Error('a key changed hands too often')
        return chain(look(executor, id, claim), (seen) =>
          seen.outcome === 'new' ? claimRow(id, claim, tries - 1) : seen,
        )
      },
    )

  return {
    acquire(id, claim) {
      if (Date.now() - sweptAt > SWEEP_EVERY_MS) {
        sweptAt = Date.now()
        const swept = sweep()
        if (isPromise(swept)) swept.then(undefined, () => {})
      }
      return claimRow(id, claim, MAX_TRIES)
    },
    renew: (id, owner, leaseMs) => chain(run.renew(executor, { id, owner, leaseMs, ...clock() }), isOne),
    checkpoint: (id, owner, checkpoints) => chain(run.checkpoint(executor, { id, owner, checkpoints }), isOne),
    complete: (id, owner, response, ttlMs) =>
      chain(run.complete(executor, { id, owner, response: toBytes(response), ttlMs, ...clock() }), isOne),
    release: (id, owner) =>
      chain(run.forget(executor, { id, owner }), (rows) =>
        isOne(rows) ? true : chain(run.release(executor, { id, owner }), isOne),
      ),
    inspect: (id) => chain(run.inspect(executor, { id, ...clock() }), ([row]) => row && toStatus(row)),
    list: (limit) => chain(run.list(executor, { limit, ...clock() }), (rows) => rows.map(toStatus)),
    delete: (id) => chain(run.delete(executor, { id }), isOne),
    sweep,
    within: (tx = executor) => ({
      acquire: (id, claim) =>
        chain(run.lock(tx, { id }), ([lock]) =>
          lock?.['free'] === false ? { outcome: 'busy', leaseLeftMs: claim.leaseMs } : look(tx, id, claim),
        ),
      complete: (id, { fingerprint, ttlMs }, attempt, response) =>
        chain(run.insertDone(tx, { id, fingerprint, attempt, ttlMs, response: toBytes(response), ...clock() }), isOne),
      checkpoint: (id, { fingerprint, ttlMs }, attempt, checkpoints) =>
        chain(run.insertReleased(executor, { id, fingerprint, attempt, ttlMs, checkpoints, ...clock() }), isOne),
    }),
  }
}

function isOne(rows: readonly Row[]): boolean {
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

// Drivers give 64-bit integers as text, BigInt or number.
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
