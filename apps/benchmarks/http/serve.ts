import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Port of a benchmark server, and the token that it accepts. */
export interface Ready {
  port: number
  token: string | undefined
}

/** Resources that a server has used so far: CPU in microseconds. */
export interface Usage {
  cpu: number
  rss: number
}

/** Requests of one client until it is refused. */
export const LIMIT = Number(process.env['BENCH_LIMIT'] ?? 1e8)

/**
 * Listens on `BENCH_PORT`, or on any free port, and tells the benchmark, which then asks for the
 * CPU time and ends the process.
 */
export function serve(server: Server, token?: string): void {
  server.listen(Number(process.env['BENCH_PORT'] ?? 0), '127.0.0.1', () =>
    announce({ port: (server.address() as AddressInfo).port, token }),
  )
}

/** Tells the benchmark that the server is ready. */
export function announce(ready: Ready): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() } satisfies Usage)
  })
  process.on('disconnect', () => process.exit())
  process.send?.(ready)
}
