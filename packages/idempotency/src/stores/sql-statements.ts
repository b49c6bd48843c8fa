import { chain, type MaybePromise } from '../../../internal/maybe-promise.ts'
import type { Row, SqlExecutor } from '../transaction.ts'

/** Differences of the two databases. */
export interface Dialect {
  name: 'postgres' | 'sqlite'
  /** Current time in milliseconds since 1970. A value for the place `:now` overrides it. */
  now: string
  /**
   * Statement that returns `free`: whether no other transaction works on the key `:id`. Missing if
   * a transaction excludes all others anyway.
   */
  lock?: string
  /** Order of `list`, newest keys first. */
  newestFirst: string
}

type Value = string | number | null | Uint8Array

/** A statement that is ready to run. Its values come in the order of its places. */
export type Statement = (executor: SqlExecutor, ...values: Value[]) => MaybePromise<readonly Row[]>

const COLUMNS = 'id, fingerprint, state, owner, attempt, lease_until, expires_at, response, checkpoints'
const STATUS = 'id, state, fingerprint, attempt, lease_until, expires_at'

/** Compiles every statement of an SQL store, once. */
export function compileStatements({ name, now, lock, newestFirst }: Dialect, table: string) {
  const compile = (places: string, sql: string): Statement =>
    compileStatement(places.split(' '), sql.replaceAll('NOW', now).replaceAll('TABLE', table), name)
  const isHeld = "WHERE id = :id AND owner = :owner AND state = 'locked' RETURNING id"
  // Entries that may be overwritten: expired ones, and those of the same request that are not in
  // progress.
  const isFree = `k.expires_at <= NOW OR (k.fingerprint = excluded.fingerprint AND (k.state = 'released'
    OR (k.state = 'locked' AND k.lease_until <= NOW)))`
  return {
    acquire: compile(
      'id fingerprint owner leaseMs keepMs onLeaseExpired now',
      `INSERT INTO TABLE AS k (${COLUMNS})
      VALUES (:id, :fingerprint, 'locked', :owner, 1, NOW + :leaseMs, NOW + :keepMs, NULL, '')
      ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'locked', owner = excluded.owner,
        attempt = CASE WHEN k.expires_at <= NOW THEN 1 ELSE k.attempt + 1 END,
        checkpoints = CASE WHEN k.expires_at <= NOW THEN '' ELSE k.checkpoints END,
        lease_until = excluded.lease_until, expires_at = excluded.expires_at, response = NULL
      WHERE (${isFree}) AND (k.expires_at <= NOW OR k.state = 'released' OR :onLeaseExpired = 'retry')
      RETURNING attempt, checkpoints`,
    ),
    read: compile('now id', `SELECT ${COLUMNS}, NOW AS now FROM TABLE WHERE id = :id`),
    renew: compile(
      'id owner leaseMs now',
      `UPDATE TABLE SET lease_until = NOW + :leaseMs,
      expires_at = CASE WHEN expires_at < NOW + :leaseMs THEN NOW + :leaseMs ELSE expires_at END ${isHeld}`,
    ),
    checkpoint: compile('id owner checkpoints', `UPDATE TABLE SET checkpoints = :checkpoints ${isHeld}`),
    complete: compile(
      'response ttlMs id owner now',
      `UPDATE TABLE SET state = 'done', owner = '', lease_until = 0, expires_at = NOW + :ttlMs,
      response = :response, checkpoints = '' ${isHeld}`,
    ),
    deleteLocked: compile(
      'id owner',
      `DELETE FROM TABLE WHERE id = :id AND owner = :owner AND state = 'locked' AND checkpoints = ''
      RETURNING id`,
    ),
    release: compile('id owner', `UPDATE TABLE SET state = 'released', owner = '', lease_until = 0 ${isHeld}`),
    inspect: compile('id now', `SELECT ${STATUS} FROM TABLE WHERE id = :id AND expires_at > NOW`),
    list: compile(
      'now limit',
      `SELECT ${STATUS} FROM TABLE WHERE expires_at > NOW ORDER BY ${newestFirst} LIMIT :limit`,
    ),
    delete: compile('id', 'DELETE FROM TABLE WHERE id = :id RETURNING id'),
    lock: lock === undefined ? undefined : compile('id', lock),
    insertDone: compile(
      'id fingerprint attempt ttlMs response now',
      `INSERT INTO TABLE AS k (${COLUMNS})
      VALUES (:id, :fingerprint, 'done', '', :attempt, 0, NOW + :ttlMs, :response, '')
      ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'done', owner = '',
        attempt = excluded.attempt, lease_until = 0, expires_at = excluded.expires_at,
        response = excluded.response, checkpoints = ''
      WHERE ${isFree} RETURNING id`,
    ),
    insertReleased: compile(
      'id fingerprint attempt ttlMs checkpoints now',
      `INSERT INTO TABLE AS k (${COLUMNS})
      VALUES (:id, :fingerprint, 'released', '', :attempt, 0, NOW + :ttlMs, NULL, :checkpoints)
      ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'released', owner = '',
        attempt = excluded.attempt, lease_until = 0, expires_at = excluded.expires_at,
        response = NULL, checkpoints = excluded.checkpoints
      WHERE ${isFree} RETURNING id`,
    ),
  }
}

/**
 * Compiles SQL with named places (`:id`). PostgreSQL has numbered places; the `?` of SQLite take a
 * value each, in the order in which they appear.
 */
export function compileStatement(places: readonly string[], sql: string, dialect: Dialect['name']): Statement {
  const order: number[] = []
  // `::bigint` is a cast.
  const text = sql.replace(/(?<!:):([a-zA-Z]+)/g, (_, name: string) => {
    const index = places.indexOf(name)
    if (index < 0) throw new TypeError(`idempotency: the statement has no value for :${name}`)
    order.push(index)
    return dialect === 'sqlite' ? '?' : `$${index + 1}`
  })
  const isInOrder = dialect === 'postgres' || order.every((index, place) => index === place)
  return (executor, ...values) => {
    const result = executor.query(text, isInOrder ? values : place(values, order))
    return Array.isArray(result) ? result : chain(result, toRows)
  }
}

function place(values: readonly Value[], order: readonly number[]): Value[] {
  const placed: Value[] = []
  for (const index of order) placed.push(values[index] ?? null)
  return placed
}

function toRows(result: readonly Row[] | { readonly rows: readonly Row[] }): readonly Row[] {
  return 'rows' in result ? result.rows : result
}
