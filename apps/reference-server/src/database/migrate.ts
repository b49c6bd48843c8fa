import { type Migration, Migrator } from 'kysely/migration'
import { type Database, DatabaseError, type Dialect } from './database.ts'

/** The migrations of a service by name, in their order. */
export type MigrationsFor = (dialect: Dialect) => Record<string, Migration>

/** Runs the migrations that this database has not seen. If several processes start at once, one of them does. */
export async function migrate({ db, dialect }: Database, migrationsFor: MigrationsFor): Promise<void> {
  const migrations = migrationsFor(dialect)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  const reason = error instanceof Error ? error.message : String(error)
  throw new DatabaseError(`cannot bring the tables to their newest form: ${reason}`, { cause: error })
}
