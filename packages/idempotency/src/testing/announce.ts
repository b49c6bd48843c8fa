import type { Server } from 'node:http'

/** The other end of `startChild`: listens, writes the port, and ends with the process that started this one. */
export function announce(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const bound = server.address()
    process.stdout.write(`${typeof bound === 'object' && bound ? bound.port : 0}\n`)
  })
  process.stdin.on('end', () => process.exit()).resume()
}
