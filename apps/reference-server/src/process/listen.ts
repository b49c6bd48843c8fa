import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import type { ServiceState } from '../http/dependencies.ts'

/** A port that cannot be had; `variable` names the one that chose it. */
export class ListenError extends Error {
  constructor({ code, message }: NodeJS.ErrnoException, { variable, port, host }: Place) {
    const where = `${host}:${port}`
    const advice = `Use ${variable}=0 (any free port) or ${variable}=${port + 10}.`
    super(
      code === 'EADDRINUSE'
        ? `SVC_PORT_IN_USE ${where} is taken by another process. ${advice}`
        : `SVC_LISTEN cannot listen on ${where}: ${code ?? message}.`,
    )
  }
}

export interface Place {
  host: string
  port: number
  /** The variable that chose the port. */
  variable: 'PORT' | 'SVC_ADMIN_PORT'
}

/** Listens, and tells where: `localhost:3000`. Rejects with a ListenError. */
export async function listen(server: Server, place: Place): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(error, place)))
    server.listen(place.port, place.host, resolve)
  })
  const { address, family, port } = server.address() as AddressInfo
  const name = address === '127.0.0.1' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `${name}:${port}`
}

// Before the ten seconds that orchestrators wait until they kill.
const CUT_MS = 9500
const POLL_MS = 50

/** Stops listening, lets the requests in flight be answered, then cuts what is left, and logs that it did. */
export async function drain(servers: readonly Server[], state: ServiceState, log: Logger): Promise<void> {
  state.draining = true
  // Connection: close, also on answers that began before.
  for (const res of state.inFlight) res.shouldKeepAlive = false
  const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
  const sweep = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, POLL_MS)
  const cut = setTimeout(() => {
    log.warn({ afterMs: CUT_MS }, 'closed connections that did not end by themselves')
    for (const server of servers) server.closeAllConnections()
  }, CUT_MS)
  await Promise.all(closed)
  clearInterval(sweep)
  clearTimeout(cut)
}
