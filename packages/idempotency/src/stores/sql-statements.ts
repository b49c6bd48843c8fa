/** Differences of the two databases. */
export interface Dialect {
  name: 'postgres' | 'sqlite'
  /** Current time in milliseconds since 1970. It has one place, whose value overrides the clock. */
  now: string
  /**
   * Statement that returns `free`: whether no other transaction works on the key of its place.
   * Missing if a transaction excludes all others anyway.
   */
  lock?: string
  /** Order of `list`, newest keys first. */
  newestFirst: string
}

const COLUMNS = 'id, fingerprint, state, owner, attempt, lease_until, expires_at, response, checkpoints'
const STATUS = 'id, state, fingerprint, attempt, lease_until, expires_at'
const IS_HELD = "WHERE id = ? AND owner = ? AND state = 'locked' RETURNING id"
/**
 * Entries that may be overwritten: expired ones, and those of the same request that are not in
 * progress.
 */
const IS_FREE = `k.expires_at <= NOW OR (k.fingerprint = excluded.fingerprint AND (k.state = 'released'
    OR (k.state = 'locked' AND k.lease_until <= NOW)))`

/**
 * Writes every statement of an SQL store, once. The comment after each lists the values of its
 * places, in order: a value that is needed twice has two.
 */
export function writeStatements(dialect: Dialect, table: string) {
  const write = (sql: string): string => writeStatement(dialect, sql.replaceAll('TABLE', table))
  const insert = (state: 'done' | 'released', response: string, checkpoints: string): string =>
    write(`INSERT INTO TABLE AS k (${COLUMNS})
      VALUES (?, ?, '${state}', '', ?, 0, NOW + ?, ${response}, ${checkpoints})
      ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, state = excluded.state, owner = '',
        attempt = excluded.attempt, lease_until = 0, expires_at = excluded.expires_at,
        response = excluded.response, checkpoints = excluded.checkpoints
      WHERE ${IS_FREE} RETURNING id`)
  return {
    // id, fingerprint, owner, now, lease, now, lifetime, then now 5 times, onLeaseExpired
    acquire: write(`INSERT INTO TABLE AS k (${COLUMNS})
      VALUES (?, ?, 'locked', ?, 1, NOW + ?, NOW + ?, NULL, '')
      ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'locked', owner = excluded.owner,
        attempt = CASE WHEN k.expires_at <= NOW THEN 1 ELSE k.attempt + 1 END,
        checkpoints = CASE WHEN k.expires_at <= NOW THEN '' ELSE k.checkpoints END,
        lease_until = excluded.lease_until, expires_at = excluded.expires_at, response = NULL
      WHERE (${IS_FREE}) AND (k.expires_at <= NOW OR k.state = 'released' OR ? = 'retry')
      RETURNING attempt, checkpoints`),
    // now, id
    read: write(`SELECT ${COLUMNS}, NOW AS now FROM TABLE WHERE id = ?`),
    // now, lease, now, lease, now, lease, id, owner
    renew: write(`UPDATE TABLE SET lease_until = NOW + ?,
      expires_at = CASE WHEN expires_at < NOW + ? THEN NOW + ? ELSE expires_at END ${IS_HELD}`),
    // checkpoints, id, owner
    checkpoint: write(`UPDATE TABLE SET checkpoints = ? ${IS_HELD}`),
    // now, lifetime, response, id, owner
    complete: write(`UPDATE TABLE SET state = 'done', owner = '', lease_until = 0, expires_at = NOW + ?,
      response = ?, checkpoints = '' ${IS_HELD}`),
    // id, owner
    deleteLocked: write(`DELETE FROM TABLE WHERE id = ? AND owner = ? AND state = 'locked' AND checkpoints = ''
      RETURNING id`),
    // id, owner
    release: write(`UPDATE TABLE SET state = 'released', owner = '', lease_until = 0 ${IS_HELD}`),
    // id, now
    inspect: write(`SELECT ${STATUS} FROM TABLE WHERE id = ? AND expires_at > NOW`),
    // now, limit
    list: write(`SELECT ${STATUS} FROM TABLE WHERE expires_at > NOW ORDER BY ${dialect.newestFirst} LIMIT ?`),
    // id
    delete: write('DELETE FROM TABLE WHERE id = ? RETURNING id'),
    // id
    lock: dialect.lock === undefined ? undefined : write(dialect.lock),
    // id, fingerprint, attempt, now, lifetime, response, now, now
    insertDone: insert('done', '?', "''"),
    // id, fingerprint, attempt, now, lifetime, checkpoints, now, now
    insertReleased: insert('released', 'NULL', '?'),
  }
}

/**
 * Writes a statement with the clock of a dialect, and its places: `?` in SQLite, `$1` in
 * PostgreSQL.
 */
export function writeStatement({ name, now }: Dialect, sql: string): string {
  const text = sql.replaceAll('NOW', now)
  let places = 0
  return name === 'sqlite' ? text : text.replaceAll('?', () => `$${++places}`)
}
