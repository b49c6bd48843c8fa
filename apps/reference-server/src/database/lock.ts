import { sql } from 'kysely'
import { type Db, dialectOf } from './database.ts'

/** Reads rows that nobody else can change until the transaction ends, in the order of their ids. */
export function lockRows(
  db: Db,
  table: string,
  ids: readonly number[],
): Promise<readonly Readonly<Record<string, string | number | bigint | null>>[]> {
  const query = db.selectFrom(table).selectAll().where('id', 'in', ids).orderBy('id')
  // The embedded database has one writer at a time.
  return dialectOf(db) === 'postgres' ? query.modifyEnd(sql`for update`).execute() : query.execute()
}
