import { createTableStatements as postgres } from '@svc/idempotency/stores/postgres'
import { createTableStatements as sqlite } from '@svc/idempotency/stores/sqlite'
import type { Schema } from './schema.ts'

/**
 * Columns of the table of keys have other names than before. Keys live for a day and their responses are in a format of
 * the package, so the table is created again instead of being converted.
 */
export async function up({ dialect, run }: Schema): Promise<void> {
  await run('DROP TABLE svc_idempotency')
  for (const statement of dialect === 'sqlite' ? sqlite() : postgres()) await run(statement)
}
