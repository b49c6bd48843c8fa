import { withDeadline } from '../deadline.ts'

export interface Connection {
  query(text: string, values?: unknown[]): PromiseLike<{ rows: unknown[] }>
  release(error?: boolean): void
  on?(event: 'error', listener: () => void): unknown
  off?(event: 'error', listener: () => void): unknown
}

/** `Pool` of pg, or anything that returns connections like it. */
export interface PostgresPool {
  /** Returns a connection for one transaction. */
  connect(): PromiseLike<Connection>
}

const MAX_WAIT_MS = 5000

/** Runs one transaction with a timeout: all later checks of this process wait for it. */
export async function transact<T>(pool: PostgresPool, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connect(pool)
  const run = async (): Promise<T> => {
    // A stricter level, which a database may have as its default, fails instead of waiting.
    await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED')
    const result = await work(connection)
    await connection.query('COMMIT')
    return result
  }
  // A broken connection fails the pending query. Without a listener, its `error` event would end
  // the process.
  connection.on?.('error', ignore)
  let isBroken = true
  try {
    const result = await withDeadline(run(), MAX_WAIT_MS)
    isBroken = false
    return result
  } finally {
    // A connection in an unknown state must not return to the pool.
    connection.release(isBroken)
    connection.off?.('error', ignore)
  }
}

/** Returns a connection, or rejects after the timeout. A late connection is released. */
async function connect(pool: PostgresPool): Promise<Connection> {
  const connecting = pool.connect()
  try {
    return await withDeadline(connecting, MAX_WAIT_MS)
  } catch (error) {
    connecting.then((late) => late.release(), ignore)
    throw error
  }
}

function ignore(): void {}
