import { withDeadline } from '../deadline.ts'

export interface Connection {
  query(text: string, values?: unknown[]): PromiseLike<{ rows: unknown[] }>
  release(error?: boolean): void
  on?(event: 'error', listener: () => void): unknown
  off?(event: 'error', listener: () => void): unknown
}

/** A `Pool` of pg, or anything that hands out connections like it. */
export interface PostgresPool {
  /** A connection of its own for one transaction. */
  connect(): PromiseLike<Connection>
}

const MAX_WAIT_MS = 5000

/** One transaction, within a time limit: all checks of this process wait behind it. */
export async function transact<T>(pool: PostgresPool, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connect(pool)
  const run = async (): Promise<T> => {
    await connection.query('BEGIN')
    const result = await work(connection)
    await connection.query('COMMIT')
    return result
  }
  // A connection that breaks tells the query that waits; its `error` event would end the process without a listener.
  connection.on?.('error', ignore)
  let isBroken = true
  try {
    const result = await withDeadline(run(), MAX_WAIT_MS)
    isBroken = false
    return result
  } finally {
    // A connection in an unknown state must not go back to the pool.
    connection.release(isBroken)
    connection.off?.('error', ignore)
  }
}

/** A connection that comes too late goes back at once. */
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
