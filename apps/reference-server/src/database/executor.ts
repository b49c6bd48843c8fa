import type { SqlExecutor } from '@svc/idempotency'
import { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'

/** A transaction as @svc/idempotency runs statements in it. */
export function executorOf(tx: Db): SqlExecutor {
  return {
    async query(text, values) {
      const { rows } = await tx.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values))
      return rows
    },
  }
}
