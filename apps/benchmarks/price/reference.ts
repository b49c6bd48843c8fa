import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import { readConfig } from '../../reference-server/src/config.ts'
import { start } from '../../reference-server/src/start.ts'
import { operationsOn } from './operations.ts'

// The whole server from source, with SQLite in memory and its log on, and without the playground.
const config = { PORT: '0', SVC_ADMIN_PORT: '0', SVC_LOG_FILE: '/dev/null', LOG_FORMAT: 'json' }
const limits = { SVC_RATE_LIMIT: '100000000/1d', SVC_RATE_LIMIT_ANONYMOUS: '100000000/1d' }
/** Microseconds of CPU that each request takes longer, to see that the check fails. */
const EXTRA_US = Number(process.env['PRICE_EXTRA_US'] ?? 0)
const STARTED = 'http.server.request.start'

const { url } = await start(readConfig({ ...config, ...limits }, false))
let server: Server | undefined
const noteServer = (message: unknown): void => void ({ server } = message as { server: Server })
subscribe(STARTED, noteServer)
const response = await fetch(`${url}/tokens`, {
  method: 'POST',
  headers: { authorization: `Basic ${Buffer.from('ada:ada-demo').toString('base64')}` },
  body: new URLSearchParams({ grant_type: 'client_credentials' }),
})
unsubscribe(STARTED, noteServer)
const { access_token: token } = (await response.json()) as { access_token: string }
if (!server) throw new Error('the server did not get the request')
if (EXTRA_US > 0) server.prependListener('request', () => burn(EXTRA_US))

/** Requests to the reference server with a token that was seen before. */
export const operations = await operationsOn(server, { authorization: `Bearer ${token}` })

function burn(microseconds: number): void {
  const end = performance.now() + microseconds / 1000
  while (performance.now() < end);
}
