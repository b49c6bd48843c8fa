import { inspectValue } from '../../internal/options.ts'
import { isCode } from './code.ts'
import type { ErrorEntry } from './issues.ts'
import { getStatusDefaults, isErrorStatus } from './status.ts'

/** Header fields of an answer. Several values are sent as several fields. */
export type ErrorHeaders = Record<string, string | string[]>

/** What an error may say beside its status and its message. */
export interface HttpErrorInit {
  /** Stable name of the cause in UPPER_SNAKE case. @defaultValue that of the status, `NOT_FOUND` for 404 */
  code?: string
  /** Whether the client may read the message. @defaultValue true below 500 */
  expose?: boolean
  /** Fields that the answer must carry, such as `WWW-Authenticate` with 401 or `Allow` with 405. */
  headers?: ErrorHeaders
  /** When to try again, as `Retry-After`: seconds (rounded up, at least 1) or a moment. */
  retryAfter?: number | Date
  /** What is wrong with single values of the request. */
  errors?: readonly ErrorEntry[]
  /** The error behind this one. It is for logs alone and never sent. */
  cause?: unknown
  /** Values for the translated message: `localize` gets them. */
  params?: Readonly<Record<string, unknown>>
  /** `type` of the problem document: an absolute URI. @defaultValue made of `problemBaseUrl` and the code */
  type?: string
  /** `title` of the problem document: the same for every occurrence. @defaultValue the reason phrase */
  title?: string
  /** Extension members of the problem document. */
  extensions?: Readonly<Record<string, unknown>>
}

const NOTHING: HttpErrorInit = {}
const BRAND = Symbol.for('svc.HttpError')

/**
 * An error with everything that its answer needs, in the shape of http-errors: Express, Koa and Fastify read its
 * status and header fields too. Below 500 it captures no stack, since that is nearly all of its cost and tells of the
 * client's mistake, not of ours.
 */
export class HttpError<Status extends number = number> extends Error {
  /** HTTP status, 400 to 599. */
  declare readonly status: Status
  /** The same as `status`, under its other name in http-errors. */
  declare readonly statusCode: Status
  /** Stable name of the cause in UPPER_SNAKE case. */
  declare readonly code: string
  /** Whether the client may read the message. */
  declare readonly expose: boolean
  /** Fields that the answer must carry. */
  declare readonly headers?: ErrorHeaders
  /** What is wrong with single values of the request. */
  declare readonly errors?: readonly ErrorEntry[]
  /** Values for the translated message. */
  declare readonly params?: Readonly<Record<string, unknown>>
  /** `type` of the problem document: an absolute URI. */
  declare readonly type?: string
  /** `title` of the problem document. */
  declare readonly title?: string
  /** Extension members of the problem document (RFC 9457 3.2). */
  declare readonly extensions?: Readonly<Record<string, unknown>>

  constructor(status: Status, message?: string, init: HttpErrorInit = NOTHING) {
    if (!isErrorStatus(status)) throw new TypeError(`errors: status must be 400 to 599, got ${inspectValue(status)}`)
    const { code, headers, retryAfter } = init
    if (code !== undefined && !isCode(code))
      throw new TypeError(`errors: code must be in UPPER_SNAKE case, got ${inspectValue(code)}`)
    const words = getStatusDefaults(status)
    // As a string before the limit is touched: what throws between would leave the whole process without stacks.
    const text = message === undefined ? words.message : String(message)
    const limit = Error.stackTraceLimit
    // With a limit of 0, v8 would still build a stack of no frames, which costs more than all the rest.
    if (status < 500) (Error as { stackTraceLimit: unknown }).stackTraceLimit = undefined
    super(text, init.cause === undefined ? undefined : { cause: init.cause })
    if (status < 500) {
      Error.stackTraceLimit = limit
      this.stack = `HttpError: ${text}`
    }
    this.status = status
    this.statusCode = status
    this.code = code ?? words.code
    this.expose = init.expose ?? (status < 500 || message === undefined)
    const fields = retryAfter === undefined ? headers : { ...headers, 'Retry-After': formatRetryAfter(retryAfter) }
    if (fields) this.headers = fields
    if (init.errors) this.errors = init.errors
    if (init.params) this.params = init.params
    if (init.type !== undefined) this.type = init.type
    if (init.title !== undefined) this.title = init.title
    if (init.extensions) this.extensions = init.extensions
  }

  static {
    Object.defineProperty(this.prototype, 'name', { value: 'HttpError', writable: true, configurable: true })
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }
}

/**
 * Makes an error to throw or to give to `next`. Throws a TypeError on a status outside 400 to 599.
 *
 * @example throw httpError(404, `Employee ${id} does not exist.`, { code: 'EMPLOYEE_NOT_FOUND' })
 */
export function httpError<const Status extends number>(
  status: Status,
  message?: string,
  init?: HttpErrorInit,
): HttpError<Status> {
  return new HttpError(status, message, init)
}

/** What every error of the http-errors convention has. */
export interface HttpErrorShape extends Error {
  /** HTTP status of the answer. */
  status: number
  /** The same as `status`. */
  statusCode: number
  /** Whether the client may read the message. */
  expose: boolean
  /** Fields that the answer must carry. */
  headers?: ErrorHeaders
}

/** Whether a value is an error of this package (also of another copy of it) or of the http-errors convention. */
export function isHttpError(value: unknown): value is HttpErrorShape {
  if (isHttpErrorInstance(value)) return true
  if (!(value instanceof Error)) return false
  const { expose, status, statusCode } = value as Partial<HttpErrorShape>
  return typeof expose === 'boolean' && typeof statusCode === 'number' && status === statusCode
}

/** Whether a value is an HttpError of this package, whichever copy of the package made it. */
export function isHttpErrorInstance(value: unknown): value is HttpError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true
}

/** Writes `Retry-After` in either form (RFC 9110 10.2.3). Throws on what is neither seconds nor a moment. */
function formatRetryAfter(after: number | Date): string {
  if (after instanceof Date && !Number.isNaN(after.getTime())) return after.toUTCString()
  if (typeof after === 'number' && Number.isFinite(after)) return String(Math.max(1, Math.ceil(after)))
  throw new TypeError(`errors: retryAfter must be seconds or a Date, got ${inspectValue(after)}`)
}
