import { type Connection, type Database, DatabaseError } from './connection.ts'
import { openSqlite } from './sqlite.ts'

/** A step that brings the tables of an older service to a newer form. */
export interface Migration {
  /** Name by which the database remembers it. */
  name: string
  run(tx: Connection): Promise<void>
}

export interface DatabaseSettings {
  databaseUrl: string | undefined
  dataDir: string | undefined
}

/** Opens the database and brings its tables to the newest form. */
export async function openDatabase(
  { databaseUrl, dataDir }: DatabaseSettings,
  migrations: readonly Migration[],
): Promise<Database> {
  const database = databaseUrl === undefined ? openSqlite(dataDir) : await openPostgresAt(databaseUrl)
  try {
    await database.transaction((tx) => migrate(tx, migrations))
    return database
  } catch (cause) {
    await database.close()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseError(`cannot bring the tables to their newest form: ${reason}`, { cause })
  }
}

// The driver takes 4 MiB, which a service on SQLite saves.
async function openPostgresAt(url: string): Promise<Database> {
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(url)
}

// Any number, the same in all processes of the service.
const LOCK = 8_370_001

// Runs the migrations that this database has not seen. If several processes start together, one
// does.
async function migrate(tx: Connection, migrations: readonly Migration[]): Promise<void> {
  if (tx.dialect === 'postgres') await tx.get('select pg_advisory_xact_lock(?)', [LOCK])
  await tx.run('create table if not exists "svc_migrations" ("name" text primary key, "runAt" text not null)')
  const rows = await tx.all<{ name: string }>('select "name" from "svc_migrations"')
  const done = new Set(rows.map(({ name }) => name))
  const unknown = rows.find(({ name }) => migrations.every((migration) => migration.name !== name))
  if (unknown) throw new Error(`another version of the service made them, with ${unknown.name}`)
  for (const { name, run } of migrations) {
    if (done.has(name)) continue
    try {
      await run(tx)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      const advice = done.size === 0 ? '. An earlier version may have made them: start with an empty database' : ''
      throw new Error(`${reason}${advice}`, { cause })
    }
    const now = new Date().toISOString()
    await tx.run('insert into "svc_migrations" ("name", "runAt") values (?, ?)', [name, now])
  }
}
