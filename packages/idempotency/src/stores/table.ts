import { inspectValue } from '../../../internal/options.ts'

/** Throws unless a table name can be part of an SQL statement as is. */
export function assertTableName(owner: string, table: string): void {
  if (/^[A-Za-z_]\w{0,62}(\.[A-Za-z_]\w{0,62})?$/.test(table)) return
  throw new TypeError(`${owner}: table must be a name such as svc_idempotency or app.keys, got ${inspectValue(table)}`)
}

/** Builds the statement that creates the table of an SQL store. */
export function buildTable(table: string, { integer, bytes }: { integer: string; bytes: string }): string {
  return `CREATE TABLE IF NOT EXISTS ${table} (
  id text PRIMARY KEY,
  fingerprint text NOT NULL,
  state text NOT NULL,
  owner text NOT NULL,
  attempt integer NOT NULL,
  lease_until ${integer} NOT NULL,
  expires_at ${integer} NOT NULL,
  response ${bytes},
  checkpoints text NOT NULL
)`
}
