import { mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { type DestinationStream, destination, pino } from 'pino'
import { type Config, ConfigError } from '../config.ts'
import { currentTime, type WriteInfo } from '../http/log.ts'

/**
 * Creates a log of JSON lines, or of short lines on a terminal. Neither contains secrets: each fact
 * of a line, and of an error in it, is named in the code. Redaction would cost six times as much
 * per line and would only find secrets that were expected.
 */
export function createLogger({ logFile, logFormat, logLevel }: Config) {
  const isPretty = logFormat === 'pretty'
  const fd = logFile === undefined ? process.stdout.fd : openFile(logFile)
  const file = isPretty && logFile === undefined ? process.stdout : batchLines(destination({ fd, ...BUFFERED }))
  const stream: DestinationStream = isPretty ? { write: (line) => void file.write(shortLine(line)) } : file
  const timestamp = (): string => `,"time":"${currentTime()}"`
  const err = (error: unknown): ErrorFacts => toErrorFacts(error)
  const log = pino({ level: logLevel, serializers: { err }, base: null, timestamp }, stream)
  const writeInfo: WriteInfo = (facts, message) =>
    stream.write(`{"level":${log.levels.values['info']},"time":"${currentTime()}",${facts},"msg":"${message}"}\n`)
  return { log, writeInfo: log.isLevelEnabled('info') ? writeInfo : undefined }
}

const BATCH_BYTES = 65_536
const BUFFERED = { sync: false, contentMode: 'buffer', minLength: 1, periodicFlush: 100 } as const

type LogFile = ReturnType<typeof destination>

/** In this mode the destination takes bytes, which its type does not say. */
interface ByteFile {
  write(bytes: Uint8Array | string): boolean
}

/**
 * Encodes lines into one buffer, which is written when it is full, ten times a second, and when the
 * process exits, so that nothing is lost then: a write costs far more than a line.
 */
function batchLines(file: LogFile): LogFile {
  const [flush, flushSync] = [file.flush.bind(file), file.flushSync.bind(file)]
  const target: ByteFile = file
  const write = target.write.bind(file)
  let batch = Buffer.allocUnsafeSlow(BATCH_BYTES)
  let length = 0
  const passOn = (): void => {
    if (length === 0) return
    write(batch.subarray(0, length))
    batch = Buffer.allocUnsafeSlow(BATCH_BYTES)
    length = 0
  }
  return Object.assign(file, {
    write(line: string) {
      const maxBytes = 3 * line.length // in UTF-8
      if (maxBytes > BATCH_BYTES - length) passOn()
      if (maxBytes > BATCH_BYTES) write(Buffer.from(line))
      else length += batch.write(line, length)
      return true
    },
    flush(done?: (error?: Error) => unknown) {
      passOn()
      flush(done)
    },
    flushSync() {
      passOn()
      flushSync()
    },
  })
}

interface ErrorFacts {
  type: string
  message: string
  code?: unknown
  stack?: string | undefined
  cause?: ErrorFacts
}

const MAX_CAUSES = 5

// Errors of drivers and clients carry requests, parameters and rows.
function toErrorFacts(error: unknown, causes = MAX_CAUSES): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: typeof error === 'string' ? error : '' }
  const { name, message, stack, cause } = error
  const facts: ErrorFacts = { type: name, message, stack }
  if ('code' in error) facts.code = error.code
  if (cause !== undefined && causes > 0) facts.cause = toErrorFacts(cause, causes - 1)
  return facts
}

function openFile(file: string): number {
  try {
    mkdirSync(dirname(file), { recursive: true })
    return openSync(file, 'a')
  } catch (error) {
    throw new ConfigError([`SVC_LOG_FILE  "${file}"  cannot be written: ${Object(error).code}`])
  }
}

interface Line {
  time: string
  level: number
  msg?: string
  method?: string
  url?: string
  status?: number
  ms?: number
  user?: string
  token?: { check?: string }
  correlationId?: string
  err?: { stack?: string }
  inFlight?: number
}

// 12:00:03 GET /employees?size=2 200 3.1ms ada 0192…
function shortLine(text: string): string {
  const line: Line = JSON.parse(text)
  const { time, msg = '', method, url, status, ms, user = '-', token, correlationId = '', err } = line
  const clock = time.slice(11, 19)
  const who = token ? `token:${token.check}` : user
  if (msg === 'request') return `${clock} ${method} ${url} ${status} ${ms}ms ${who} ${correlationId.slice(0, 8)}\n`
  if (msg === 'stopping') return `${clock} stopping, requests in flight: ${line.inFlight}; Ctrl-C again stops now\n`
  if (msg === 'stopped') return `${clock} stopped in ${((ms ?? 0) / 1000).toFixed(1)} s\n`
  return `${clock} ${msg}${err?.stack ? `\n${err.stack}` : ''}\n`
}
