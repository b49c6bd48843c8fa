import { type Migration, Migrator } from 'kysely/migration'
import { type Database, DatabaseError, type Dialect } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** The migrations of a service by name, in their order. */
export type MigrationsFor = (dialect: Dialect) => Record<string, Migration>

export interface DatabaseSettings {
  databaseUrl: string | undefined
  dataDir: string | undefined
}

/** Opens the database and brings its tables to the newest form. */
export async function openDatabase(
  { databaseUrl, dataDir }: DatabaseSettings,
  migrations: MigrationsFor,
): Promise<Database> {
  const database = databaseUrl === undefined ? openSqlite(dataDir) : await openPostgres(databaseUrl)
  try {
    await migrate(database, migrations)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

// Runs the migrations that this database has not seen. If several processes start at once, one of them does.
async function migrate({ db, dialect }: Database, migrationsFor: MigrationsFor): Promise<void> {
  const migrations = migrationsFor(dialect)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  const reason = error instanceof Error ? error.message : String(error)
  throw new DatabaseError(`cannot bring the tables to their newest form: ${reason}`, { cause: error })
}
