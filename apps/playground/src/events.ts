import { sendRepresentation } from '@svc/negotiate'
import {
  type AppDependencies,
  belowPublicUrl,
  getBaseUrl,
  type Middleware,
  requestStateOf,
  selectLanguage,
} from '../../reference-server/src/index.ts'
import { entryView } from './entry-view.ts'
import { type Exchanges, parseFilter } from './exchanges.ts'
import { PULSE_PATH, pulseView } from './pulse.ts'

const BEAT_MS = 500
const MAX_UNREAD_BYTES = 1_000_000

/**
 * The log as it grows: server-sent events, one for each exchange, as the page shows it. Ends when
 * the service stops, and for a client that does not read.
 */
export function requestEvents(
  exchanges: Exchanges,
  { config, state }: Pick<AppDependencies, 'config' | 'state'>,
): Middleware {
  return (req, res, next) => {
    const { path, search, headers } = requestStateOf(req)
    if (path !== '/_demo/requests/events' || req.method !== 'GET') return next()
    res.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
    res.write('retry: 1000\n\n')
    const [baseUrl, language] = [getBaseUrl(req, config.publicUrl), selectLanguage(req)]
    const stop = exchanges.watch(parseFilter(search), (entry) => {
      if (res.writableLength > MAX_UNREAD_BYTES) {
        stop()
        return void req.socket.destroy()
      }
      const view = belowPublicUrl(String(entryView(entry, baseUrl, language)), config.publicUrl)
      res.write(`data: ${view.replaceAll('\n', '\ndata: ')}\n\n`)
    })
    const beat = setInterval(() => {
      // A comment, since the server closes connections without traffic.
      if (!state.draining) return void res.write(':\n\n')
      stop() // A write after the end would be an error.
      res.end()
    }, BEAT_MS)
    res.once('close', () => {
      stop()
      clearInterval(beat)
    })
  }
}

/** GET /_demo/requests/pulse: the live part of the first page. */
export function pulse(exchanges: Exchanges, { config }: Pick<AppDependencies, 'config'>): Middleware {
  return (req, res, next) => {
    const { path, headers } = requestStateOf(req)
    if (path !== PULSE_PATH || req.method !== 'GET') return next()
    const body = belowPublicUrl(String(pulseView(exchanges, selectLanguage(req))), config.publicUrl)
    const type = 'text/html; charset=utf-8'
    sendRepresentation(req, res, { type, body, headers, cacheControl: 'no-store' }, next)
  }
}
