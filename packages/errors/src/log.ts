import { inspect } from 'node:util'
import { callSafely } from '../../internal/guard.ts'
import { getPath, type IncomingMessage } from '../../internal/middleware.ts'
import { requestFact } from '../../internal/request-fact.ts'
import type { ErrorContext } from './options.ts'

/**
 * How severe an error is: `error` for 500 and above and for bugs such as a TypeError, `warn` below 500, `info` if the
 * client went away.
 */
export type Severity = 'error' | 'warn' | 'info'

/** What `onError` gets: texts from the client are free of control characters, so that they cannot forge a log line. */
export interface LogEntry {
  /** What was thrown, with its stack and its causes. */
  error: unknown
  /** The status that was sent; 499 when the client went away and nothing was sent. */
  status: number
  /** The code that the client got. */
  code: string
  /** How much it matters, by the status. */
  severity: Severity
  /** The method of the request. */
  method: string
  /** Without the query. */
  path: string
  /** What the option `correlationId` gave for this request. */
  correlationId: string | undefined
  /** The `instance` of the problem document, where one was sent. */
  instance?: string
  /** The request that failed. */
  req: IncomingMessage
}

export type Log = (entry: LogEntry) => void

const logged = requestFact<unknown[]>('errors.logged')

/** Makes the function that logs each error of a request once, and never fails. */
export function logWith(onError: ((entry: LogEntry) => void | Promise<void>) | undefined): Log {
  return (entry) => {
    const before = logged.get(entry.req)
    if (before?.includes(entry.error)) return
    if (before) before.push(entry.error)
    else logged.set(entry.req, [entry.error])
    if (onError === undefined) return writeEntry(entry)
    const fail = (error: unknown): void => writeEntry({ ...entry, error: [error, entry.error], severity: 'error' })
    callSafely(
      () => onError(entry),
      () => {},
      fail,
    )
  }
}

/** What the log gets of an error that is answered. */
export function entryOf({ error, facts, severity, req, correlationId }: ErrorContext): LogEntry {
  const { status, code } = facts
  return {
    error,
    status,
    code,
    severity,
    method: printable(req.method ?? ''),
    path: printable(getPath(req)),
    correlationId: correlationId === undefined ? undefined : printable(correlationId),
    req,
  }
}

function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?')
}

function writeEntry({ error, severity, status, method, path, correlationId }: LogEntry): void {
  if (severity !== 'error') return
  const id = correlationId === undefined ? '' : ` ${correlationId}`
  process.stderr.write(`[svc:errors] ${status} ${method} ${path}${id}\n${inspected(error)}\n`)
}

function inspected(error: unknown): string {
  try {
    return inspect(error)
  } catch {
    return 'an error that cannot be inspected'
  }
}
