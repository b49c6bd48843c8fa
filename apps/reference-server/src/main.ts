import { existsSync, readFileSync } from 'node:fs'
import { PLACES, playgroundFor } from '../../playground/src/index.ts'
import { ConfigError, readConfig } from './config.ts'
import { DatabaseError } from './database/connection.ts'
import { DEMO_USERS } from './domain/seed/demo-users.ts'
import { banner } from './process/banner.ts'
import { ListenError } from './process/listen.ts'
import { type Running, start } from './start.ts'

const version = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
  .version

const MAX_FLUSH_MS = 1000
const EXIT = { portTaken: 1, crash: 70, database: 73, configuration: 78 }

try {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = readConfig(process.env, process.stdout.isTTY)
  const running = await start(config, { extensions: playgroundFor(config) })
  const { url, adminUrl, log, database } = running
  const { users, pages } = config.demo ? { users: DEMO_USERS, pages: PLACES } : { users: [], pages: [] }
  const whatToTry = (): string => banner({ ...running, version, users, pages })
  if (config.logFormat === 'pretty') process.stdout.write(whatToTry())
  else {
    log.info({ url, adminUrl, wsdl: `${url}/ws/customer?wsdl`, database: database.where, version }, 'listening')
    // Helps developers who start the demo in an IDE, in CI or in a container. A service in
    // production only writes its log.
    if (config.demo && config.logLevel !== 'silent') process.stderr.write(whatToTry())
  }
  stopOnSignals(running)
  stopOnCrash(running)
} catch (error) {
  const { message, exitCode } = startFailure(error)
  process.stderr.write(`${message}\n`)
  process.exitCode = exitCode
}

function stopOnSignals({ stop, state, log }: Running): void {
  let isStopping = false
  const begin = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(130)
    isStopping = true
    log.info({ signal, inFlight: state.inFlight.size }, 'stopping')
    const begun = performance.now()
    stop().then(
      () => {
        log.info({ ms: Math.round(performance.now() - begun) }, 'stopped')
        // Earlier lines may be on their way to the disk: an exit now would write this one first.
        const exit = (): never => process.exit(0)
        log.flush(exit)
        setTimeout(exit, MAX_FLUSH_MS)
      },
      () => process.exit(EXIT.crash),
    )
  }
  process.on('SIGTERM', begin).on('SIGINT', begin)
}

// The process state is unknown after an uncaught exception. Log it and exit; the supervisor
// restarts the server.
function stopOnCrash({ log }: Running): void {
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'crashed')
    process.exit(EXIT.crash)
  })
}

/** Returns what a failed start prints, and the exit code of the process. */
function startFailure(error: unknown): { message: string; exitCode: number } {
  if (error instanceof ConfigError) return { message: error.message, exitCode: EXIT.configuration }
  if (error instanceof DatabaseError) return { message: `SVC_DATABASE ${error.message}`, exitCode: EXIT.database }
  if (error instanceof ListenError) return { message: error.message, exitCode: EXIT.portTaken }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), exitCode: EXIT.crash }
}
