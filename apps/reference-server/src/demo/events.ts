import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { exchangeOf } from '../exchange.ts'
import type { ServiceState } from '../service-state.ts'
import { type Exchanges, filterOf } from './exchanges.ts'

const BEAT_MS = 500

/** The log as it grows: server-sent events, one for each exchange. Ends when the service stops. */
export function requestEvents(exchanges: Exchanges, state: ServiceState): Middleware {
  return (req, res, next) => {
    const { path, search, fields } = exchangeOf(req)
    if (path !== '/_demo/requests/events' || req.method !== 'GET') return next()
    res.writeHead(200, { ...fields, 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
    res.write('retry: 1000\n\n')
    const stop = exchanges.watch(filterOf(search), (entry) => res.write(`data: ${JSON.stringify(entry)}\n\n`))
    const beat = setInterval(() => state.draining && res.end(), BEAT_MS)
    res.once('close', () => {
      stop()
      clearInterval(beat)
    })
  }
}
