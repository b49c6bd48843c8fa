import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import type { Database } from './database/connection.ts'
import { type Migration, openDatabase } from './database/open.ts'
import { collections, documents } from './domain/collections.ts'
import { migrations } from './domain/migrations.ts'
import { fillOutbox } from './domain/outbox.ts'
import { disabledHashes } from './domain/seed/demo-users.ts'
import { seed } from './domain/seed/seed.ts'
import { apiVersions } from './domain/versions.ts'
import { compileCollections } from './engine/compiled-collection.ts'
import { cursors } from './engine/cursor.ts'
import type { Collection } from './engine/define.ts'
import type { ApiVersion } from './engine/versions.ts'
import type { Format } from './formats/format.ts'
import { createFormats } from './formats/formats.ts'
import type { CreateExtension, ServiceState } from './http/dependencies.ts'
import { createServices } from './http/services.ts'
import { adminServer, maintenanceSwitch } from './process/admin-server.ts'
import { loadCertificate } from './process/certificate.ts'
import { httpServer, messageClasses } from './process/http-server.ts'
import { createLogger } from './process/logger.ts'
import { createMetrics } from './process/metrics.ts'
import type { Poller } from './process/poller.ts'
import { startSender } from './process/webhooks.ts'
import { startWorker } from './process/worker.ts'
import { firstAdministrator } from './security/users.ts'

export interface Running {
  url: string
  adminUrl: string
  database: Database
  log: Logger
  state: ServiceState
  /** Of the certificate that was made for this run. */
  fingerprint: string | undefined
  /** Finishes the requests in flight, then closes everything. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** @defaultValue those of the service */
  collections?: readonly Collection[]
  /** Changes of the tables, oldest first. @defaultValue those of the service */
  migrations?: readonly Migration[]
  /** Formats in addition to those of the service. @defaultValue none */
  formats?: readonly Format[]
  /** API versions, oldest first. @defaultValue those of the service */
  versions?: readonly ApiVersion[]
  /** Parts that are added to the service. @defaultValue none */
  extensions?: readonly CreateExtension[]
}

/** Starts the service: database, app, listeners. Rejects if one fails, and leaves nothing open. */
export async function start(config: Config, options: StartOptions = {}): Promise<Running> {
  const { versions = apiVersions, extensions = [] } = options
  const { webhook, publicUrl, redisUrl } = config
  const { log, writeInfo } = createLogger(config)
  const certificate = await loadCertificate(config)
  const database = await openDatabase(config, options.migrations ?? migrations)
  // Loaded if needed: the driver takes 6 MiB.
  const counters = redisUrl ? (await import('./process/redis.ts')).sharedCounters(redisUrl, log) : undefined
  const servers: Server[] = []
  const workers: Poller[] = []
  const close = async (drained?: Promise<void>): Promise<void> => {
    await Promise.all([drained, inTime(Promise.all(workers.map((each) => each.stop())))])
    counters?.close()
    await inTime(database.close())
  }
  try {
    if (config.demo) await seed(database)
    await firstAdministrator(database, config.adminPassword, disabledHashes(config), log)
    const state: ServiceState = {
      maintenance: config.maintenance,
      draining: false,
      inFlight: [],
      ...(counters && { hasSharedCounters: counters.isUp }),
    }
    const services = await createServices(config, database, counters?.store)
    const metrics = createMetrics(state)
    const shapes = compileCollections({
      collections: options.collections ?? collections,
      documents,
      versions,
      dialect: database.dialect,
      cursors: cursors(services.cursorKey),
    })
    const formats = createFormats(options.formats)
    const parts = {
      config,
      database,
      services,
      shapes,
      versions,
      formats,
      state,
      log,
      writeInfo,
      measure: metrics.measure,
      ...(counters && { rateLimitStore: counters.store }),
    }
    const { app, findRoute } = createApp(parts, extensions)
    const service = httpServer(app, certificate, messageClasses(app))
    const maintenance = maintenanceSwitch(database, state, log)
    workers.push(maintenance)
    const admin = adminServer({ database, state, maintenance, metrics: metrics.registry })
    servers.push(service, admin)
    workers.push(startWorker({ database, findRoute, log }))
    await fillOutbox(database, webhook !== undefined)
    if (webhook) workers.push(startSender({ database, webhook, publicUrl, log }))
    const scheme = certificate ? 'https' : 'http'
    if (certificate?.fingerprint) log.info({ fingerprint: certificate.fingerprint }, 'made a certificate for this run')
    return {
      url: `${scheme}://${await listen(service, { host: config.host, port: config.port, variable: 'PORT' })}`,
      adminUrl: `http://${await listen(admin, { host: '127.0.0.1', port: config.adminPort, variable: 'SVC_ADMIN_PORT' })}`,
      database,
      log,
      state,
      fingerprint: certificate?.fingerprint,
      stop: () => close(drain(servers, state, log)),
    }
  } catch (error) {
    for (const server of servers) server.close()
    await close()
    throw error
  }
}

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

interface ListenAddress {
  host: string
  port: number
  /** The variable that chose the port. */
  variable: 'PORT' | 'SVC_ADMIN_PORT'
}

/** Starts to listen. Returns host and port: `localhost:3000`. Rejects with a `ListenError`. */
async function listen(server: Server, requested: ListenAddress): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(error, requested)))
    server.listen(requested.port, requested.host, resolve)
  })
  const { address, family, port }: AddressInfo = Object(server.address())
  const name = address === '127.0.0.1' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address
  return `${name}:${port}`
}

/** Waits no longer than for requests: the database may never respond. Leases and locks expire. */
async function inTime(stopped: Promise<unknown>): Promise<void> {
  await Promise.race([stopped, wait(MAX_DRAIN_MS, undefined, { ref: false })])
}

// Shorter than the ten seconds after which orchestrators kill a process.
const MAX_DRAIN_MS = 9500
const POLL_MS = 50

/** Stops listening and waits for the requests in flight. Closes and logs what takes too long. */
async function drain(servers: readonly Server[], state: ServiceState, log: Logger): Promise<void> {
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
