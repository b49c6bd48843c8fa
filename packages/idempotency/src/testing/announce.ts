import type { Server } from 'node:http'
import { flushCompileCache } from 'node:module'

/** Counterpart of `startChild`: listens, writes the port, and exits with the parent process. */
export function announce(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const bound = server.address()
    process.stdout.write(`${typeof bound === 'object' && bound ? bound.port : 0}\n`)
    // The compile cache is written at exit, which a killed process never reaches.
    flushCompileCache()
  })
  process.stdin.on('end', () => process.exit()).resume()
}
