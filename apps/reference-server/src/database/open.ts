import { type Connection, type Database, DatabaseError, type Dialect } from './connection.ts'
import { openSqlite } from './sqlite.ts'

/** A step that brings the tables of an older service to a newer form. */
export interface Migration {
  /** Name by which the database remembers it. */
  name: string
  run(tx: Connection): Promise<void>
}

/** Opens the database and brings its tables to the newest form. */
export async function openDatabase(
  { databaseUrl, dataDir }: { databaseUrl: string | undefined; dataDir: string | undefined },
  migrations: readonly Migration[],
): Promise<Database> {
  // Loaded if needed: the driver takes 4 MiB.
  const database =
    databaseUrl === undefined ? openSqlite(dataDir) : await (await import('./postgres.ts')).openPostgres(databaseUrl)
  try {
    await database.transaction((tx) => migrate(tx, migrations))
    return database
  } catch (cause) {
    await database.close()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseError(`cannot bring the tables to their newest form: ${reason}`, { cause })
  }
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

/** Words that migrations are written in: each means the same in both databases. */
export interface Schema {
  dialect: Dialect
  /** Runs any other statement. */
  run(statement: string): Promise<void>
  /** Creates a table with `revision`, `createdAt` and `updatedAt`. Its columns are SQL. */
  table(name: string, columns: readonly string[]): Promise<void>
  /** As `table`, but without the columns of resources. */
  plainTable(name: string, columns: readonly string[]): Promise<void>
  /** Creates sorted indexes as responses are sorted: absent values first, then by id. */
  sortable(table: string, columns: readonly (string | readonly string[])[]): Promise<void>
  /** Rejects two rows with the same value. The name of the rule contains the field. */
  unique(table: string, field: string, expression?: string): Promise<void>
  index(table: string, columns: readonly string[]): Promise<void>
  /** Column `id`: assigned by the database, never twice. */
  id: string
  /** Type of integers of 64 bits. */
  long: string
  /** Type of text that sorts by its code points, whatever the locale. */
  text: string
  /** Expression for 32 random hexadecimal digits. */
  randomHex: string
}

/** Returns the words of migrations in the SQL of one database. */
export function createSchema(tx: Connection): Schema {
  const { dialect } = tx
  const isSqlite = dialect === 'sqlite'
  const nulls = isSqlite ? '' : ' nulls first'
  const text = isSqlite ? 'text' : 'text collate "C"'
  const run = async (statement: string): Promise<void> => void (await tx.run(statement))
  const plainTable = (name: string, columns: readonly string[]): Promise<void> =>
    run(`create table "${name}" (${columns.join(', ')})`)
  const common = [
    '"revision" integer not null default 1',
    `"createdAt" ${text} not null`,
    `"updatedAt" ${text} not null`,
  ]
  return {
    dialect,
    run,
    plainTable,
    table: (name, columns) => plainTable(name, [...columns, ...common]),
    async sortable(table, columns) {
      for (const names of columns.map((each) => (typeof each === 'string' ? [each] : each))) {
        const sorted = names.map((name) => `"${name}"${nulls}`)
        await run(`create index "${table}_${names.at(-1)}" on "${table}" (${sorted.join(', ')}, "id")`)
      }
    },
    unique: (table, field, expression = `"${field}"`) =>
      run(`create unique index "${table}_${field}_unique" on "${table}" (${expression})`),
    index: (table, columns) =>
      run(`create index "${table}_${columns.join('_')}" on "${table}" ("${columns.join('", "')}")`),
    id: isSqlite
      ? '"id" integer primary key autoincrement'
      : '"id" bigint generated by default as identity primary key',
    long: isSqlite ? 'integer' : 'bigint',
    text,
    randomHex: isSqlite ? 'lower(hex(randomblob(16)))' : `replace(gen_random_uuid()::text, '-', '')`,
  }
}
