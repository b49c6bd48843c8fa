import { inspectValue } from '../../../internal/options.ts'

/** Refuses a name of a table that could be anything else in SQL. */
export function requireTable(owner: string, table: string): void {
  if (/^[A-Za-z_]\w{0,62}(\.[A-Za-z_]\w{0,62})?$/.test(table)) return
  throw new TypeError(`${owner}: table must be a name like svc_idempotency or app.keys, got ${inspectValue(table)}`)
}

/** The statements that make the table of a store on SQL, for a migration of your own. */
export function buildTable(table: string, types: { integer: string; bytes: string }): string[] {
  const { integer, bytes } = types
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (
  id text PRIMARY KEY,
  fingerprint text NOT NULL,
  state text NOT NULL,
  owner text NOT NULL,
  attempt integer NOT NULL,
  lease_until ${integer} NOT NULL,
  expires_at ${integer} NOT NULL,
  response ${bytes},
  checkpoints text NOT NULL
)`,
    `CREATE INDEX IF NOT EXISTS ${table.replace('.', '_')}_expires ON ${table} (expires_at)`,
  ]
}
