import { existsSync, readFileSync } from 'node:fs'
import { PLACES, playgroundFor } from '../../playground/src/index.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { DatabaseError } from './database/connection.ts'
import { DEMO_USERS, demoPassword } from './domain/seed/demo-users.ts'
import { curlLine, type Example, examples } from './formats/pages/exchange.ts'
import { text } from './formats/pages/texts.ts'
import { ListenError, type Running, start } from './start.ts'

const { version }: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

const MAX_FLUSH_MS = 1000
const EXIT = { portTaken: 1, crash: 70, database: 73, configuration: 78 }

try {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = readConfig(process.env, process.stdout.isTTY)
  const running = await start(config, { extensions: playgroundFor(config) })
  const { url, adminUrl, log, database } = running
  if (config.logFormat === 'pretty') process.stdout.write(banner(running, config))
  else {
    log.info({ url, adminUrl, wsdl: `${url}/ws/customer?wsdl`, database: database.where, version }, 'listening')
    // Helps developers who start the demo in an IDE, in CI or in a container. A service in
    // production only writes its log.
    if (config.demo && config.logLevel !== 'silent') process.stderr.write(banner(running, config))
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
    log.info({ signal, inFlight: state.inFlight.length }, 'stopping')
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

/** Returns the text that a terminal shows after the start. */
function banner({ url, adminUrl, fingerprint, database }: Running, { demo, jwks }: Config): string {
  const lines = [
    `svc reference-server ${version} · node ${process.versions.node} · ${database.where}`,
    '',
    `  Open      ${url}/`,
    `  API       ${url}/docs`,
    `  SOAP      ${url}/ws/customer?wsdl`,
    `  Admin     ${adminUrl}/ready  /live  /metrics`,
  ]
  if (fingerprint) lines.push(`  TLS       self-made, SHA-256 ${fingerprint}`)
  // With the keys of another issuer there is no /tokens.
  const available = examples.filter(({ path }) => jwks === undefined || path !== '/tokens')
  if (demo) lines.push(...demoLines(url, fingerprint !== undefined, available))
  return `${lines.join('\n')}\n`
}

function demoLines(url: string, isSelfSigned: boolean, available: readonly Example[]): string[] {
  const names = DEMO_USERS.map(
    ({ username, role }) => `${username} / ${demoPassword(username)} (${text('en', `role.${role}`)})`,
  )
  // No authority signed a certificate that was created for this run.
  const flags = isSelfSigned ? '-sk' : '-s'
  const calls = available.map((example) => curlLine(example, url, flags))
  return [
    ...PLACES.map(([label, path]) => `  ${label.padEnd(10)}${url}${path}`),
    '',
    ...alignLines('Users', names),
    '',
    ...alignLines('Try', calls),
    '',
    '  Demo credentials are public: keep this on loopback.  Ctrl-C stops.',
  ]
}

function alignLines(label: string, texts: readonly string[]): string[] {
  return texts.map((text, index) => `  ${(index === 0 ? label : '').padEnd(10)}${text}`)
}
