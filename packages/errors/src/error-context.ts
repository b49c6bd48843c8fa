import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import type { Classification } from './classification.ts'
import type { ErrorRecord } from './record.ts'

/**
 * Severity of an error: `error` for 500 and above and for bugs such as a TypeError, `warn` below
 * 500, `info` if the client disconnected.
 */
export type Severity = 'error' | 'warn' | 'info'

/** An error with its request and response, for callbacks. */
export interface ErrorContext<Req = IncomingMessage, Res = ServerResponse> {
  /** The value that was thrown. Use it for decisions and logs, and send no part of it. */
  error: unknown
  /** The information that the client may see: status, code, message, headers. */
  classification: Classification
  /** Severity for the log. */
  severity: Severity
  /** The Error record, in the language of the client. */
  record: ErrorRecord
  /** The language of the record, if `localize` is set. */
  language: string | undefined
  /** The value that the option `correlationId` returned for this request. */
  correlationId: string | undefined
  /** The request that failed. */
  req: Req
  /** Its response, not yet started; `undefined` on Fetch hosts. */
  res: Res
}

/** The parts of a request that the core reads, the same for every framework. */
export interface RequestInfo<Req, Res> {
  req: Req
  res: Res
  method: string
  /** The path, without the query. */
  path: string
  accept: string | undefined
  acceptLanguage: string | undefined
  /** The current status of the response. */
  status: number
}
