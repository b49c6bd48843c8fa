import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { type Connection, type Database, DatabaseError, type SqlValue, type Stored } from './connection.ts'

const INT8 = 20
const CONNECTIONS = 10
const MAX_TEXTS = 500

/** Opens PostgreSQL by its URL. Rejects if it does not respond. */
export async function openPostgres(url: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: 5000,
    // Amounts and ids are exact numbers; ids that may be larger are selected as text.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  })
  // A broken connection is replaced, and its statements reject. Without a listener for idle
  // connections, and one for those in use, it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  const ping = async (): Promise<void> => void (await pool.query('select 1'))
  const numbered = numberer()
  const { host, pathname } = new URL(url)
  try {
    await ping()
  } catch (cause) {
    await pool.end()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseError(`cannot reach PostgreSQL at ${host}${pathname}: ${reason || 'no response'}`, { cause })
  }
  return {
    ...connectionTo(pool, numbered),
    isTransaction: false,
    async transaction(work) {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        await client.query('begin')
        const result = await work({ ...connectionTo(client, numbered), isTransaction: true })
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback').catch((reason: Error) => {
          broken = reason
        })
        throw error
      } finally {
        // A connection that cannot roll back is closed, which does.
        client.release(broken)
      }
    },
    changes: () => undefined,
    native: { pool },
    where: `PostgreSQL ${host}${pathname}`,
    ping,
    close: () => pool.end(),
  }
}

function connectionTo(
  client: pg.Pool | pg.PoolClient,
  numbered: (sql: string) => string,
): Omit<Connection, 'isTransaction'> {
  const query = <R extends object>(sql: string, values: readonly SqlValue[] = []): Promise<pg.QueryResult<R>> =>
    client.query<R>(numbered(sql), [...values])
  return {
    dialect: 'postgres',
    all: async <R extends object>(sql: string, values?: readonly SqlValue[]) => (await query<R>(sql, values)).rows,
    rows: async (sql, values = []) =>
      (await client.query<Stored[]>({ text: numbered(sql), values: [...values], rowMode: 'array' })).rows,
    get: async <R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | undefined> =>
      (await query<R>(sql, values)).rows[0],
    run: async (sql, values) => (await query(sql, values)).rowCount ?? 0,
  }
}

// PostgreSQL numbers the values: `$1` for the first `?`.
function numberer(): (sql: string) => string {
  const texts = new LRUCache<string, string>({ max: MAX_TEXTS })
  return (sql) => {
    const numbered = texts.get(sql)
    if (numbered !== undefined) return numbered
    let count = 0
    const text = sql.replaceAll('?', () => `$${++count}`)
    texts.set(sql, text)
    return text
  }
}
