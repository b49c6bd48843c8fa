import type { Server } from 'node:http'
import type { ServiceState } from '../http/service-state.ts'

const DRAIN_MS = 10_000
const POLL_MS = 50

/** Stops listening, lets the requests in flight be answered, then cuts what is left after ten seconds. */
export async function drain(servers: readonly Server[], state: ServiceState): Promise<void> {
  state.draining = true
  // Connection: close, also on answers that began before.
  for (const res of state.inFlight) res.shouldKeepAlive = false
  const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
  const sweep = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, POLL_MS)
  const cut = setTimeout(() => {
    for (const server of servers) server.closeAllConnections()
  }, DRAIN_MS - 500)
  await Promise.all(closed)
  clearInterval(sweep)
  clearTimeout(cut)
}
