import type { Server } from 'node:http'
import type { Logger } from 'pino'
import type { ServiceState } from '../http/service-state.ts'

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
