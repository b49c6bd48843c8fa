import pg from 'pg'

/** A pool for tests: a server that stops before its last connection is closed is no failure. */
export function createPool(url: string | undefined, max = 10): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max })
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool.on('error', () => {})
}
