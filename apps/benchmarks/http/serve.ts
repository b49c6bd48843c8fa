import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where a server of the benchmark listens, and the token that it takes. */
export interface Ready {
  port: number
  token: string | undefined
}

/** Listens on any free port and tells the benchmark, which then asks for the CPU time and ends the process. */
export function serve(server: Server, token?: string): void {
  server.listen(0, '127.0.0.1', () => announce({ port: (server.address() as AddressInfo).port, token }))
}

/** Tells the benchmark that the server is ready. */
export function announce(ready: Ready): void {
  process.on('message', () => process.send?.({ ...process.cpuUsage(), rss: process.memoryUsage.rss() }))
  process.on('disconnect', () => process.exit())
  process.send?.(ready)
}
