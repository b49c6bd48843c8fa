import type { Server } from 'node:http'
import type { Logger } from 'pino'
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/open.ts'
import { seed } from '../database/seed/seed.ts'
import type { Turns } from '../jobs/in-turns.ts'
import { startWorker } from '../jobs/worker.ts'
import { createLogger } from '../logger.ts'
import { cursors } from '../resource/cursor.ts'
import { routeTable } from '../resource/route.ts'
import { shapesOf } from '../resource/shape.ts'
import { collections } from '../resources/collections.ts'
import { documents } from '../resources/documents.ts'
import { routes } from '../routes.ts'
import type { ServiceState } from '../service-state.ts'
import { createServices } from '../services.ts'
import { soapEndpoints } from '../soap/endpoints.ts'
import { fillOutbox } from '../webhooks/outbox.ts'
import { startSender } from '../webhooks/sender.ts'
import { adminServer } from './admin-server.ts'
import { loadCertificate } from './certificate.ts'
import { drain } from './drain.ts'
import { firstAdministrator } from './first-administrator.ts'
import { httpServer } from './http-server.ts'
import { listen } from './listen.ts'
import { maintenanceSwitch } from './maintenance.ts'
import { createMetrics } from './metrics.ts'
import { sharedCounters } from './redis.ts'

export interface Running {
  url: string
  adminUrl: string
  database: Database
  log: Logger
  state: ServiceState
  /** Of the certificate that was made for this run. */
  fingerprint: string | undefined
  /** Answers what is in flight, then closes everything. */
  stop(): Promise<void>
}

/** Starts the service: database, app, listeners. Rejects where one of them cannot be had, and leaves nothing open. */
export async function start(config: Config): Promise<Running> {
  const { webhook, publicUrl } = config
  const log = createLogger(config)
  const certificate = await loadCertificate(config)
  const database = await openDatabase(config)
  const counters = config.redisUrl === undefined ? undefined : sharedCounters(config.redisUrl, log)
  const servers: Server[] = []
  const workers: Turns[] = []
  try {
    if (config.demo) await seed(database)
    await firstAdministrator(database, config.adminPassword, log)
    const state: ServiceState = {
      ...{ maintenance: config.maintenance, draining: false, inFlight: new Set() },
      ...(counters && { hasSharedCounters: counters.isUp }),
    }
    const services = await createServices(config, database, counters?.store)
    const metrics = createMetrics(state)
    const shapes = shapesOf({
      collections,
      documents,
      dialect: database.dialect,
      cursors: cursors(services.cursorKey),
    })
    const soap = soapEndpoints({ config, database, services, log }, shapes)
    const parts = { config, database, services, shapes, soap, state, log, measure: metrics.measure }
    const app = createApp({ ...parts, ...(counters && { rateLimitStore: counters.store }) })
    const service = httpServer(app, certificate)
    const maintenance = maintenanceSwitch(database, state, log)
    workers.push(maintenance)
    const admin = adminServer({ database, state, maintenance, metrics: metrics.registry })
    servers.push(service, admin)
    workers.push(startWorker({ database, findRoute: routeTable(routes(parts)), log }))
    await fillOutbox(database, webhook !== undefined)
    if (webhook) workers.push(startSender({ database, webhook, publicUrl, log }))
    const scheme = certificate ? 'https' : 'http'
    if (certificate?.fingerprint) log.info({ fingerprint: certificate.fingerprint }, 'made a certificate for this run')
    return {
      url: `${scheme}://${await listen(service, { host: config.host, port: config.port, variable: 'PORT' })}`,
      adminUrl: `http://${await listen(admin, { host: '127.0.0.1', port: config.adminPort, variable: 'SVC_ADMIN_PORT' })}`,
      ...{ database, log, state, fingerprint: certificate?.fingerprint },
      async stop() {
        await Promise.all([drain(servers, state), ...workers.map((each) => each.stop())])
        await counters?.close()
        await database.close()
      },
    }
  } catch (error) {
    for (const server of servers) server.close()
    await Promise.all(workers.map((each) => each.stop()))
    await counters?.close()
    await database.close()
    throw error
  }
}
