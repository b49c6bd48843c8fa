import pg from 'pg'

/**
 * Creates a pool for tests, which ignores a server that stops before its connections are closed.
 */
export function createPool(url: string | undefined, max = 10): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max })
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool.on('error', () => {})
}
