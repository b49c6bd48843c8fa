import { Migrator } from 'kysely/migration'
import { type Database, DatabaseError } from './database.ts'
import { migrationsFor } from './migrations/index.ts'

/** Runs the migrations that this database has not seen. Of several processes that start at once, one does. */
export async function migrate({ db, dialect }: Database): Promise<void> {
  const migrations = migrationsFor(dialect)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  const reason = error instanceof Error ? error.message : String(error)
  throw new DatabaseError(`cannot bring the tables to their newest form: ${reason}`, { cause: error })
}
