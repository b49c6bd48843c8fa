import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteDialect } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Database, DatabaseError, type Tables } from './database.ts'
import { type Row, runAtOnce } from './query.ts'

const MAX_STATEMENTS = 500

/** Opens the embedded database: a file in this folder, or memory that is gone with the process. */
export function openSqlite(folder: string | undefined): Database {
  const file = folder === undefined ? ':memory:' : join(folder, 'svc.db')
  const connection = connect(file, folder)
  const driver = adapter(connection)
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: driver }) })
  // What is not committed yet is for nobody else to see. Node.js below 22.16 does not tell.
  runAtOnce(db, (sql, values) =>
    connection.isTransaction === false ? (driver.prepare(sql).all(values) as Row[]) : undefined,
  )
  return {
    dialect: 'sqlite',
    db,
    native: { sqlite: connection },
    between: (work) => db.connection().execute(async () => work()),
    where: folder === undefined ? 'in memory, resets on restart' : file,
    ping: async () => void connection.prepare('select 1').get(),
    close: () => db.destroy(),
  }
}

function connect(file: string, folder: string | undefined): DatabaseSync {
  try {
    if (folder !== undefined) mkdirSync(folder, { recursive: true })
    const connection = new DatabaseSync(file)
    // FULL: what was answered is on the disk, also after a power cut.
    connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000')
    return connection
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseError(`cannot open ${file}: ${reason}`, { cause })
  }
}

interface Statement {
  readonly reader: boolean
  all(parameters: readonly unknown[]): unknown[]
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>
}

/** What Kysely asks of a driver, over node:sqlite. Statements are prepared once. */
function adapter(connection: DatabaseSync): { close(): void; prepare(sql: string): Statement } {
  const statements = new LRUCache<string, Statement>({ max: MAX_STATEMENTS })
  return {
    close: () => connection.close(),
    prepare(sql) {
      let statement = statements.get(sql)
      if (!statement) {
        statement = wrap(connection.prepare(sql))
        statements.set(sql, statement)
      }
      return statement
    },
  }
}

function wrap(statement: StatementSync): Statement {
  const reader = statement.columns().length > 0
  // The id of the last row that was inserted is told by every change, and may have 64 bits.
  if (!reader) statement.setReadBigInts(true)
  return {
    reader,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])) as IterableIterator<unknown>,
  }
}
