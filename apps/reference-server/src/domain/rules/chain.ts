import type { Db } from '../../database/database.ts'
import type { Id } from '../../database/values.ts'

const MAX_CHAIN = 100

/** Whether the chain of references that starts at one row comes by another: then a reference would close a ring. */
export async function leadsTo(
  db: Db,
  { table, column }: { table: string; column: string },
  start: Id,
  target: Id,
): Promise<boolean> {
  let current: Id | undefined = start
  for (let step = 0; step < MAX_CHAIN && current !== undefined; step++) {
    if (current === target) return true
    const row: Record<string, unknown> | undefined = await db
      .selectFrom(table)
      .select(column)
      .where('id', '=', current)
      .executeTakeFirst()
    current = row?.[column] == null ? undefined : Number(row[column])
  }
  return false
}
