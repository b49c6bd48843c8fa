import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type Database, DatabaseError, type Tables } from './database.ts'

const INT8 = 20
const CONNECTIONS = 10

/** Opens PostgreSQL by its URL, and rejects where it does not answer. */
export async function openPostgres(url: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: 5000,
    // Amounts and our own ids are exact numbers; the ids that may be larger are read as text.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  })
  // A connection that breaks is replaced, and what was waiting on it rejects; without a listener for those that are idle,
  // and one for those in use, it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const ping = async (): Promise<void> => void (await pool.query('select 1'))
  const { host, pathname } = new URL(url)
  try {
    await ping()
  } catch (cause) {
    await db.destroy()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseError(`cannot reach PostgreSQL at ${host}${pathname}: ${reason || 'no answer'}`, { cause })
  }
  return {
    dialect: 'postgres',
    db,
    native: { pool },
    between: async (work) => work(),
    where: `PostgreSQL ${host}${pathname}`,
    ping,
    close: () => db.destroy(),
  }
}
