import { type MaybePromise, orElse } from '../../internal/maybe-promise.ts'
import { memoize } from '../../internal/memoize.ts'
import type { IncomingMessage } from '../../internal/middleware.ts'
import { requestFact } from '../../internal/request-fact.ts'
import type { ErrorContext, RequestInfo, Severity } from './error-context.ts'

/**
 * Argument of `onError`. Strings from the client have no control characters, so that they cannot
 * forge lines of a log.
 */
export interface LogEntry<Req = IncomingMessage> {
  /** The value that was thrown, with its stack and cause. */
  error: unknown
  /**
   * The status of the error, which a response of `render` can replace; 499 if the client
   * disconnected and nothing was sent.
   */
  status: number
  /** The code of the error. */
  code: string
  /** Severity of the error. */
  severity: Severity
  /** The method of the request. */
  method: string
  /** The path of the request, without the query. */
  path: string
  /** The value that the option `correlationId` returned for this request. */
  correlationId: string | undefined
  /**
   * The `instance` of the problem document, if the client prefers one. A response of `render` does
   * not have it.
   */
  instance?: string
  /** The request that failed. */
  req: Req
}

/** Logs an error. */
export type Log<Req = IncomingMessage> = (entry: LogEntry<Req>) => void

const loggedErrors = requestFact<unknown[]>(Symbol.for('svc.errors.logged'))

/**
 * Creates the function that logs each error of a request once, and never throws. It calls `write`
 * if there is no `onError`.
 */
export function createLog<Req extends object>(
  onError: ((entry: LogEntry<Req>) => MaybePromise<void>) | undefined,
  write: Log<Req>,
): Log<Req> {
  const writeBoth = (error: unknown, entry: LogEntry<Req>): void => {
    write({ ...entry, error })
    write(entry)
  }
  return (entry) => {
    const logged = loggedErrors.get(entry.req)
    if (logged?.includes(entry.error)) return
    if (logged) logged.push(entry.error)
    else loggedErrors.set(entry.req, [entry.error])
    if (onError)
      orElse(
        () => onError(entry),
        (error) => writeBoth(error, entry),
      )
    else if (entry.severity === 'error') write(entry)
  }
}

/** Creates the log entry of an error for which a response is sent. */
export function createLogEntry<Req, Res>(
  { error, classification, severity, req, correlationId }: Omit<ErrorContext<Req, Res>, 'record' | 'language' | 'res'>,
  { method, path }: RequestInfo<Req, Res>,
): LogEntry<Req> {
  return {
    error,
    status: classification.status,
    code: classification.code,
    severity,
    method: toPrintableMethod(method),
    path: toPrintable(path),
    correlationId: correlationId === undefined ? undefined : toPrintable(correlationId),
    req,
  }
}

/** Formats the first line of an entry. */
export function formatLogLine({ status, method, path, correlationId }: LogEntry<unknown>): string {
  return `[svc:errors] ${status} ${method} ${path}${correlationId === undefined ? '' : ` ${correlationId}`}`
}

const MAX_CAUSES = 10

/**
 * Returns how an error is shown in the log, or a note about one that cannot be shown, such as an
 * error with a getter that throws.
 */
export function showError<T>(error: unknown, show: (value: unknown) => T): T | string {
  try {
    return error instanceof Error ? formatStacks(error) : show(error)
  } catch {
    return 'an error that cannot be inspected'
  }
}

/**
 * Formats the stacks of an error and of its causes. Their properties are omitted: those of an HTTP
 * client contain the credentials of its request.
 */
function formatStacks(error: Error): string {
  const stacks: unknown[] = []
  for (let cause: unknown = error; cause instanceof Error && stacks.length < MAX_CAUSES; cause = cause.cause)
    stacks.push(cause.stack)
  return stacks.join('\ncaused by ')
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const ALL_CONTROL = new RegExp(CONTROL, 'g')

function toPrintable(text: string): string {
  return CONTROL.test(text) ? text.replace(ALL_CONTROL, '?') : text
}

const toPrintableMethod = memoize(toPrintable)
