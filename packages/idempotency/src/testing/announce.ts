import type { Server } from 'node:http'
import { flushCompileCache } from 'node:module'

/** The other end of `startChild`: listens, writes the port, and ends with the process that started this one. */
export function announce(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const bound = server.address()
    process.stdout.write(`${typeof bound === 'object' && bound ? bound.port : 0}\n`)
    // It would be written when the process ends; one that is killed writes nothing.
    flushCompileCache()
  })
  process.stdin.on('end', () => process.exit()).resume()
}
