import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { ServiceState } from '../http/dependencies.ts'

/** Thrown if a port is not available. `variable` is the setting that selects it. */
export class ListenError extends Error {
  constructor({ code, message }: NodeJS.ErrnoException, { variable, port, host }: ListenAddress) {
    const where = `${host}:${port}`
    const advice = `Use ${variable}=0 (any free port) or ${variable}=${port + 10}.`
    super(
      code === 'EADDRINUSE'
        ? `SVC_PORT_IN_USE ${where} is taken by another process. ${advice}`
        : `SVC_LISTEN cannot listen on ${where}: ${code ?? message}.`,
    )
  }
}

export interface ListenAddress {
  host: string
  port: number
  /** The variable that chose the port. */
  variable: 'PORT' | 'SVC_ADMIN_PORT'
}

/** Starts to listen. Returns host and port: `localhost:3000`. Rejects with a `ListenError`. */
export async function listen(server: Server, requested: ListenAddress): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(error, requested)))
    server.listen(requested.port, requested.host, resolve)
  })
  const { address, family, port } = server.address() as AddressInfo
  const name = address === '127.0.0.1' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `${name}:${port}`
}

// Shorter than the ten seconds after which orchestrators kill a process.
const MAX_DRAIN_MS = 9500
const POLL_MS = 50

/** Stops listening and waits for the requests in flight. Closes and logs what takes too long. */
export async function drain(servers: readonly Server[], state: ServiceState, log: Logger): Promise<void> {
  state.draining = true
  // Connection: close, also for responses that have begun.
  for (const res of state.inFlight) res.shouldKeepAlive = false
  const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
  const sweep = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, POLL_MS)
  const cut = setTimeout(() => {
    log.warn({ afterMs: MAX_DRAIN_MS }, 'closed connections that did not end in time')
    for (const server of servers) server.closeAllConnections()
  }, MAX_DRAIN_MS)
  await Promise.all(closed)
  clearInterval(sweep)
  clearTimeout(cut)
}
