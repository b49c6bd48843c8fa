import { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import {
  type Changes,
  type Connection,
  type Database,
  DatabaseError,
  type Key,
  type SqlValue,
  type Stored,
  type StoredRow,
} from './connection.ts'

const INT8 = 20
const CONNECTIONS = 10
// Longer than any statement takes, also of a migration. A server that is paused, or a network that
// drops packets, would otherwise block a connection until the kernel drops it, or forever.
const MAX_SILENCE_MS = 300_000
const MAX_TEXTS = 500
// As in PgJDBC: a connection keeps and plans statements that are used often. Filters make any
// number of texts.
const USES_TO_NAME = 5
const MAX_NAMES = 200

/** Opens PostgreSQL by its URL. Rejects if it does not respond. */
export async function openPostgres(url: string, maxSilenceMs = MAX_SILENCE_MS): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: 5000,
    stream: () => {
      const socket = new Socket()
      return socket.setTimeout(maxSilenceMs, () => socket.destroy())
    },
    // Amounts and ids are exact numbers; ids that may be larger are selected as text.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  })
  // A broken connection is replaced, and its statements reject. Without a listener for idle
  // connections, and one for those in use, it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  const ping = async (): Promise<void> => void (await pool.query('select 1'))
  const compile = statementCompiler()
  const { host, pathname } = new URL(url)
  try {
    await ping()
  } catch (cause) {
    await pool.end()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DatabaseError(`cannot reach PostgreSQL at ${host}${pathname}: ${reason || 'no response'}`, { cause })
  }
  return {
    ...connectionTo(pool, compile),
    isTransaction: false,
    find: findByKeys(pool),
    async transaction(work) {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        await client.query('begin')
        const result = await work({ ...connectionTo(client, compile), isTransaction: true })
        const { command } = await client.query('commit')
        if (command === 'ROLLBACK') throw new Error('nothing was committed: a statement of the transaction had failed')
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
    changes: countChanges(pool),
    native: { pool },
    where: `PostgreSQL ${host}${pathname}`,
    ping,
    close: () => pool.end(),
  }
}

function connectionTo(client: pg.Pool | pg.PoolClient, compile: CompileStatement): Omit<Connection, 'isTransaction'> {
  const query = <R extends object>(sql: string, values: readonly SqlValue[] = []): Promise<pg.QueryResult<R>> =>
    client.query<R>({ ...compile(sql), values: [...values] })
  const list = async (sql: string, values: readonly SqlValue[] = []): Promise<StoredRow[]> =>
    (await client.query<Stored[]>({ ...compile(sql), values: [...values], rowMode: 'array' })).rows
  return {
    dialect: 'postgres',
    all: async <R extends object>(sql: string, values?: readonly SqlValue[]) => (await query<R>(sql, values)).rows,
    rows: list,
    get: async <R extends object>(sql: string, values?: readonly SqlValue[]): Promise<R | undefined> =>
      (await query<R>(sql, values)).rows[0],
    find: async (sql, key) => (await list(sql, [key]))[0],
    run: async (sql, values) => (await query(sql, values)).rowCount ?? 0,
  }
}

// Statements with equal snapshots see the same rows: each commit of a write changes the snapshot of
// those after it. A server that was restored or has lost its latest commits may give a snapshot
// twice.
const SNAPSHOT = `select pg_postmaster_start_time()::text || ' ' || pg_current_snapshot()::text`

function countChanges(pool: pg.Pool): () => Promise<Changes> {
  let changes: Changes = { users: 0 }
  let seen: string | undefined
  // A crash ends all connections.
  pool.on('connect', () => {
    seen = undefined
  })
  return oncePerTurn(async () => {
    const { rows } = await pool.query<[string]>({ text: SNAPSHOT, rowMode: 'array' })
    const snapshot = rows[0]?.[0]
    if (snapshot !== seen) changes = { users: changes.users + 1 }
    seen = snapshot
    return changes
  })
}

function findByKeys(pool: pg.Pool): Connection['find'] {
  const finders = new Map<string, (key: string) => Promise<StoredRow | undefined>>()
  return (sql: string, key: Key) => {
    let find = finders.get(sql)
    if (!find) {
      const name = `find_${finders.size}`
      const text = sql.replace(/\?$/, 'any($1)')
      find = batch(async (keys) => {
        const { rows } = await pool.query<Stored[]>({ name, text, values: [keys], rowMode: 'array' })
        return new Map(rows.map((row) => [String(row[0]), row]))
      })
      finders.set(sql, find)
    }
    return find(String(key))
  }
}

interface Statement {
  text: string
  /** Statements without a name are parsed and planned each time. */
  name: string | undefined
}

type CompileStatement = (sql: string) => Statement

// PostgreSQL numbers the values: `$1` for the first `?`.
function statementCompiler(): CompileStatement {
  const statements = new LRUCache<string, Statement & { uses: number }>({ max: MAX_TEXTS })
  let names = 0
  return (sql) => {
    let statement = statements.get(sql)
    if (!statement) {
      let count = 0
      const text = sql.replaceAll('?', () => `$${++count}`)
      statements.set(sql, (statement = { text, name: undefined, uses: 0 }))
    }
    // A text without values is sent as it is.
    if (statement.text.includes('$1') && ++statement.uses === USES_TO_NAME && names < MAX_NAMES)
      statement.name = `svc_${names++}`
    return statement
  }
}

/**
 * Shares one run of `work` among all calls of a turn of the event loop. It begins at the end of the
 * turn.
 */
export function oncePerTurn<T>(work: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined
  return () => {
    pending ??= new Promise((resolve) => {
      setImmediate(() => {
        pending = undefined
        resolve(work())
      })
    })
    return pending
  }
}

/**
 * Reads the keys that are asked for in a turn of the event loop together, at the end of the turn.
 */
export function batch<K, V>(
  read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (key: K) => Promise<V | undefined> {
  let keys = new Set<K>()
  const readAll = oncePerTurn(() => {
    const asked = [...keys]
    keys = new Set()
    return read(asked)
  })
  return (key) => {
    keys.add(key)
    return readAll().then((values) => values.get(key))
  }
}
