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
  /**
   * Statement that returns a row if the last statement changed one: SQLite copies each page that a
   * statement with RETURNING changes. Missing if RETURNING costs less.
   */
  hasChanged?: string
  /** Order of `list`, newest keys first. */
  newestFirst: string
}

const COLUMNS = 'id, fingerprint, state, owner, attempt, lease_until, expires_at, response, checkpoints'
/** Columns after id and fingerprint of a key that is done. */
const DONE = "'done', '', ?, 0, NOW + ?, ?, ''"
const STATUS = 'id, state, fingerprint, attempt, lease_until, expires_at'
/** Columns that an entry gets from the claim that overwrites it. */
const CLAIMED = ['fingerprint', 'state', 'owner', 'lease_until', 'expires_at', 'response']
const IS_EXPIRED = 'k.expires_at <= NOW'
/**
 * Entries that may be overwritten: expired ones, and those of the same request that are not in
 * progress.
 */
const IS_FREE = `${IS_EXPIRED} OR (k.fingerprint = excluded.fingerprint AND (k.state = 'released'
OR (k.state = 'locked' AND k.lease_until <= NOW)))`

/**
 * Writes every statement of an SQL store, once. The comment after each lists the values of its
 * places, in order: a value that is needed twice has two.
 */
export function writeStatements(dialect: Dialect, table: string) {
  const write = (sql: string): string => writeStatement(dialect, sql).replaceAll('TABLE', table)
  const claim = (values: string, changes: string, end: string): string =>
    write(`INSERT INTO TABLE AS k (${COLUMNS}) VALUES (?, ?, ${values})
ON CONFLICT (id) DO UPDATE SET ${CLAIMED.map((column) => `${column} = excluded.${column}`)}, ${changes}
WHERE (${IS_FREE}) ${end}`)
  const insert = (values: string): string =>
    claim(
      values,
      'attempt = excluded.attempt, checkpoints = excluded.checkpoints',
      dialect.hasChanged === undefined ? 'RETURNING id' : '',
    )
  const whereHeld = (change: string, condition = ''): string =>
    write(`${change} WHERE id = ? AND owner = ? AND state = 'locked' ${condition} RETURNING id`)
  return {
    // id, fingerprint, owner, now, lease, now, lifetime, then now 5 times, onLeaseExpired
    acquire: claim(
      "'locked', ?, 1, NOW + ?, NOW + ?, NULL, ''",
      `attempt = CASE WHEN ${IS_EXPIRED} THEN 1 ELSE k.attempt + 1 END,
checkpoints = CASE WHEN ${IS_EXPIRED} THEN '' ELSE k.checkpoints END`,
      `AND (${IS_EXPIRED} OR k.state = 'released' OR ? = 'retry') RETURNING attempt, checkpoints`,
    ),
    // now, id
    read: write(`SELECT ${COLUMNS}, NOW AS now FROM TABLE WHERE id = ?`),
    // now, lease, now, lease, now, lease, id, owner
    renew: whereHeld(`UPDATE TABLE SET lease_until = NOW + ?,
expires_at = CASE WHEN expires_at < NOW + ? THEN NOW + ? ELSE expires_at END`),
    // checkpoints, id, owner
    checkpoint: whereHeld('UPDATE TABLE SET checkpoints = ?'),
    // now, lifetime, response, id, owner
    complete: whereHeld(`UPDATE TABLE SET state = 'done', owner = '', lease_until = 0,
expires_at = NOW + ?, response = ?, checkpoints = ''`),
    // id, owner
    deleteLocked: whereHeld('DELETE FROM TABLE', "AND checkpoints = ''"),
    // id, owner
    release: whereHeld("UPDATE TABLE SET state = 'released', owner = '', lease_until = 0"),
    // id, now
    inspect: write(`SELECT ${STATUS} FROM TABLE WHERE id = ? AND expires_at > NOW`),
    // now, limit
    list: write(`SELECT ${STATUS} FROM TABLE WHERE expires_at > NOW ORDER BY ${dialect.newestFirst} LIMIT ?`),
    // id
    delete: write('DELETE FROM TABLE WHERE id = ? RETURNING id'),
    // id
    lock: dialect.lock === undefined ? undefined : write(dialect.lock),
    hasChanged: dialect.hasChanged,
    // id, fingerprint, attempt, now, lifetime, response
    insertNew: dialect.hasChanged && write(`INSERT INTO TABLE (${COLUMNS}) VALUES (?, ?, ${DONE})`),
    // id, fingerprint, attempt, now, lifetime, response, now, now
    insertDone: insert(DONE),
    // id, fingerprint, attempt, now, lifetime, checkpoints, now, now
    insertReleased: insert("'released', '', ?, 0, NOW + ?, NULL, ?"),
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
