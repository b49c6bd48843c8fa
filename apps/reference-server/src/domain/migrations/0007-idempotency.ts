import { createTableStatements as postgres } from '@svc/idempotency/stores/postgres'
import { createTableStatements as sqlite } from '@svc/idempotency/stores/sqlite'
import type { Schema } from './schema.ts'

/** Keys of requests that must not happen twice, with the answers that their retries get. */
export async function up({ dialect, run }: Schema): Promise<void> {
  for (const statement of dialect === 'sqlite' ? sqlite() : postgres()) await run(statement)
}
