import { type Statement, statement } from './statement.ts'

/** How the two databases differ. */
export interface Dialect {
  name: 'postgres' | 'sqlite'
  /** Milliseconds since 1970; the place `:now` wins where it is given. */
  now: string
  /** One row, `free`: whether this transaction is the only one that works on the key `:id`. */
  lock: string
}

const COLUMNS = 'id, fingerprint, state, owner, attempt, lease_until, expires_at, response, checkpoints'
const STATUS = 'id, state, fingerprint, attempt, lease_until, expires_at'

/** Every statement of a store on SQL. */
export function statements({ name, now, lock }: Dialect, table: string) {
  const make = (sql: string): Statement => statement(sql.replaceAll('NOW', now).replaceAll('TABLE', table), name)
  const held = "WHERE id = :id AND owner = :owner AND state = 'locked' RETURNING id"
  // What may be overwritten: what has expired, and what is no longer in progress.
  const free = `k.expires_at <= NOW OR (k.fingerprint = excluded.fingerprint AND (k.state = 'released'
    OR (k.state = 'locked' AND k.lease_until <= NOW)))`
  return {
    acquire: make(`INSERT INTO TABLE AS k (${COLUMNS})
      VALUES (:id, :fingerprint, 'locked', :owner, 1, NOW + :leaseMs, NOW + :keepMs, NULL, '')
      ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'locked', owner = excluded.owner,
        attempt = CASE WHEN k.expires_at <= NOW THEN 1 ELSE k.attempt + 1 END,
        checkpoints = CASE WHEN k.expires_at <= NOW THEN '' ELSE k.checkpoints END,
        lease_until = excluded.lease_until, expires_at = excluded.expires_at, response = NULL
      WHERE (${free}) AND (k.expires_at <= NOW OR k.state = 'released' OR :onLeaseExpired = 'retry')
      RETURNING attempt, checkpoints`),
    read: make(`SELECT ${COLUMNS}, NOW AS now FROM TABLE WHERE id = :id`),
    renew: make(`UPDATE TABLE SET lease_until = NOW + :leaseMs,
      expires_at = CASE WHEN expires_at < NOW + :leaseMs THEN NOW + :leaseMs ELSE expires_at END ${held}`),
    checkpoint: make(`UPDATE TABLE SET checkpoints = :checkpoints ${held}`),
    complete: make(`UPDATE TABLE SET state = 'done', owner = '', lease_until = 0, expires_at = NOW + :ttlMs,
      response = :response, checkpoints = '' ${held}`),
    forget: make(`DELETE FROM TABLE WHERE id = :id AND owner = :owner AND state = 'locked' AND checkpoints = ''
      RETURNING id`),
    release: make(`UPDATE TABLE SET state = 'released', owner = '', lease_until = 0 ${held}`),
    inspect: make(`SELECT ${STATUS} FROM TABLE WHERE id = :id AND expires_at > NOW`),
    list: make(`SELECT ${STATUS} FROM TABLE WHERE expires_at > NOW ORDER BY expires_at DESC, id LIMIT :limit`),
    delete: make('DELETE FROM TABLE WHERE id = :id RETURNING id'),
    sweep: make(`DELETE FROM TABLE WHERE id IN (SELECT id FROM TABLE WHERE expires_at <= NOW LIMIT 1000)
      AND expires_at <= NOW RETURNING id`),
    lock: make(lock),
    insertDone: make(`INSERT INTO TABLE AS k (${COLUMNS})
      VALUES (:id, :fingerprint, 'done', '', :attempt, 0, NOW + :ttlMs, :response, '')
      ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'done', owner = '',
        attempt = excluded.attempt, lease_until = 0, expires_at = excluded.expires_at,
        response = excluded.response, checkpoints = ''
      WHERE ${free} RETURNING id`),
    insertReleased: make(`INSERT INTO TABLE AS k (${COLUMNS})
      VALUES (:id, :fingerprint, 'released', '', :attempt, 0, NOW + :ttlMs, NULL, :checkpoints)
      ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'released', owner = '',
        attempt = excluded.attempt, lease_until = 0, expires_at = excluded.expires_at,
        response = NULL, checkpoints = excluded.checkpoints
      WHERE ${free} RETURNING id`),
  }
}
