import type { Database } from './database.ts'
import { type MigrationsFor, migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

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
