import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Database } from '../database/connection.ts'
import { deleteSetting, readSetting, writeSetting } from '../database/settings.ts'
import { isSafe } from '../engine/route.ts'
import type { ServiceState } from '../http/dependencies.ts'
import { readiness } from '../http/endpoints/health.ts'
import { hostName, isLoopbackName } from '../security/origin.ts'
import { type Poller, startPolling } from './poller.ts'

export interface AdminParts {
  database: Database
  state: ServiceState
  maintenance: MaintenanceSwitch
  metrics: Registry
}

/** Creates the listener for operators. It is on loopback only and needs no credentials. */
export function adminServer({ database, state, maintenance, metrics }: AdminParts): Server {
  const handlers: Record<string, (res: ServerResponse) => Promise<void> | void> = {
    'GET /live': (res) => respond(res, 200, { status: 'pass' }),
    'GET /ready': async (res) => {
      const { isReady, checks } = await readiness(database, state)
      respond(res, isReady ? 200 : 503, { status: isReady ? 'pass' : 'fail', checks })
    },
    'GET /metrics': async (res) => {
      const text = await metrics.metrics()
      res.writeHead(200, { 'Content-Type': metrics.contentType }).end(text)
    },
    'GET /maintenance': (res) => respond(res, 200, { maintenance: state.maintenance }),
    'PUT /maintenance': (res) => turn(res, maintenance, true),
    'DELETE /maintenance': (res) => turn(res, maintenance, false),
  }
  return createServer((req: IncomingMessage, res) => {
    const rejection = findRejection(req)
    if (rejection) return respond(res, rejection.status, rejection)
    const run = handlers[`${req.method} ${(req.url ?? '').replace(/\?.*$/s, '')}`]
    if (!run) return respond(res, 404, { paths: Object.keys(handlers) })
    Promise.resolve(run(res)).catch(() => respond(res, 500, { status: 'fail' }))
  })
}

/**
 * Returns why a request is rejected: its Host is not a loopback name (DNS rebinding), or a page of
 * another origin sent a change. Nothing here needs credentials, so a browser on this host would be
 * enough for such a page. Clients that are not browsers send neither Sec-Fetch-Site nor Origin.
 */
function findRejection({ method = 'GET', headers }: IncomingMessage): { status: number; detail: string } | undefined {
  const { host, origin, 'sec-fetch-site': site } = headers
  if (host !== undefined && !isLoopbackName(hostName(host)))
    return { status: 421, detail: 'This listener responds to loopback names only.' }
  if (isSafe(method)) return undefined
  const isSameOrigin = origin === undefined || origin === `http://${host}`
  if (isSameOrigin && (site === undefined || site === 'same-origin' || site === 'none')) return undefined
  return { status: 403, detail: 'Another site cannot change anything here.' }
}

async function turn(res: ServerResponse, maintenance: MaintenanceSwitch, isOn: boolean): Promise<void> {
  try {
    await maintenance.turn(isOn)
    respond(res, 200, { maintenance: isOn })
  } catch {
    respond(res, 503, { maintenance: isOn, detail: 'Only this process is switched: the database is unavailable.' })
  }
}

function respond(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(JSON.stringify(body))
}

/** The maintenance mode, which all processes on a shared database have in common. */
export interface MaintenanceSwitch extends Poller {
  /** Switches this process. Rejects if the other processes cannot be informed. */
  turn(isOn: boolean): Promise<void>
}

const NAME = 'maintenance'
const POLL_MS = 1000

/** Creates the switch, and polls every second whether another process turned it. */
export function maintenanceSwitch(db: Database, state: ServiceState, log: Logger): MaintenanceSwitch {
  const isShared = db.dialect === 'postgres'
  // Set at the start of this process, or not stored for the others.
  let isOnHere = state.maintenance
  const poll = async (): Promise<void> => {
    const isOnForAll = (await readSetting(db, NAME)) !== undefined
    state.maintenance = isOnForAll || isOnHere
  }
  const poller = isShared && startPolling(POLL_MS, poll, (err) => log.debug({ err }, 'maintenance mode cannot be read'))
  return {
    async turn(isOn) {
      isOnHere = isOn
      state.maintenance = isOn
      if (!isShared) return
      await (isOn ? writeSetting(db, NAME, 'on') : deleteSetting(db, NAME))
      isOnHere = false
    },
    async stop() {
      if (poller) await poller.stop()
    },
  }
}
