import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import type { Database } from '../database/connection.ts'
import type { ServiceState } from '../http/dependencies.ts'
import { readiness } from '../http/endpoints/health.ts'
import { hostName, isLoopbackName } from '../security/origin.ts'
import type { MaintenanceSwitch } from './maintenance.ts'

export interface AdminParts {
  database: Database
  state: ServiceState
  maintenance: MaintenanceSwitch
  metrics: Registry
}

/** The listener for operators: it is on loopback, apart from the service, and needs no credentials. */
export function adminServer({ database, state, maintenance, metrics }: AdminParts): Server {
  const answers: Record<string, (res: ServerResponse) => Promise<void> | void> = {
    'GET /live': (res) => answer(res, 200, { status: 'pass' }),
    'GET /ready': async (res) => {
      const { isReady, checks } = await readiness(database, state)
      answer(res, isReady ? 200 : 503, { status: isReady ? 'pass' : 'fail', checks })
    },
    'GET /metrics': async (res) => {
      res.writeHead(200, { 'Content-Type': metrics.contentType }).end(await metrics.metrics())
    },
    'GET /maintenance': (res) => answer(res, 200, { maintenance: state.maintenance }),
    'PUT /maintenance': (res) => turn(res, maintenance, true),
    'DELETE /maintenance': (res) => turn(res, maintenance, false),
  }
  return createServer((req: IncomingMessage, res) => {
    const refused = findRefusal(req)
    if (refused) return answer(res, refused.status, refused)
    const run = answers[`${req.method} ${(req.url ?? '').replace(/\?.*$/s, '')}`]
    if (!run) return answer(res, 404, { paths: Object.keys(answers) })
    Promise.resolve(run(res)).catch(() => answer(res, 500, { status: 'fail' }))
  })
}

const SAFE = ['GET', 'HEAD', 'OPTIONS']

/**
 * Why a request is refused: its Host is not a loopback name (DNS rebinding), or a page of another origin sent a change.
 * Nothing here asks for credentials, so that a browser on this host is all that such a page needs. Clients that are not
 * browsers send neither Sec-Fetch-Site nor Origin.
 */
function findRefusal({ method = 'GET', headers }: IncomingMessage): { status: number; detail: string } | undefined {
  const { host, origin, 'sec-fetch-site': site } = headers
  if (host !== undefined && !isLoopbackName(hostName(host)))
    return { status: 421, detail: 'This listener responds to loopback names only.' }
  if (SAFE.includes(method)) return undefined
  const isOwn = origin === undefined || origin === `http://${host}`
  if (isOwn && (site === undefined || site === 'same-origin' || site === 'none')) return undefined
  return { status: 403, detail: 'Another site cannot change anything here.' }
}

async function turn(res: ServerResponse, maintenance: MaintenanceSwitch, isOn: boolean): Promise<void> {
  const isToldToAll = await maintenance.turn(isOn).then(
    () => true,
    () => false,
  )
  if (isToldToAll) answer(res, 200, { maintenance: isOn })
  else answer(res, 503, { maintenance: isOn, detail: 'This process alone is switched: the database is away.' })
}

function answer(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(JSON.stringify(body))
}
