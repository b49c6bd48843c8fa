import { assertKnownOptions, assertTypes, createArgumentError, type OptionTypes } from '../../internal/options.ts'
import { omitStacks, restoreStacks } from '../../internal/stack-trace.ts'
import { isCode } from './code.ts'
import type { ErrorEntry } from './issues.ts'
import { getStatusDefaults, isErrorStatus } from './status.ts'

/** Response headers. A list becomes several header lines. */
export type ErrorHeaders = Record<string, string | string[]>

/** Value of a header of node:http. */
export type HeaderValue = number | string | string[]

/** Options for `httpError()`. */
export interface HttpErrorInit {
  /**
   * Stable name of the cause, in UPPER_SNAKE case.
   * @defaultValue that of the status, `NOT_FOUND` for 404
   */
  code?: string
  /** Whether the message is sent to the client. @defaultValue true below 500 */
  expose?: boolean
  /** Headers of the response, such as `WWW-Authenticate` for 401 or `Allow` for 405. */
  headers?: ErrorHeaders
  /** Value of `Retry-After`: seconds (rounded up, at least 1) or a Date. */
  retryAfter?: number | Date | undefined
  /** The invalid values of the request. */
  errors?: readonly ErrorEntry[]
  /** The original error, for the log. Never sent. */
  cause?: unknown
  /** Values for the translated message, passed to `localize`. */
  params?: Readonly<Record<string, unknown>>
  /**
   * `type` of the problem document: an absolute URI.
   * @defaultValue built from `problemBaseUrl` and the code
   */
  type?: string
  /**
   * `title` of the problem document: the same for every occurrence.
   * @defaultValue the reason phrase
   */
  title?: string
  /** Extension members of the problem document. */
  extensions?: Readonly<Record<string, unknown>>
}

const OPTIONS: ReadonlySet<string> = new Set([
  'code',
  'expose',
  'headers',
  'retryAfter',
  'errors',
  'cause',
  'params',
  'type',
  'title',
  'extensions',
] satisfies (keyof HttpErrorInit)[])

const TYPES: OptionTypes = {
  expose: 'boolean',
  headers: 'object',
  errors: 'array',
  params: 'object',
  type: 'string',
  title: 'string',
  extensions: 'object',
}

const NO_INIT: HttpErrorInit = {}
const BRAND = Symbol.for('svc.HttpError')

/**
 * An error with the status, code and headers of its response, in the format of http-errors, so that
 * Express, Koa and Fastify read it too. Below 500 it captures no stack: that is most of its cost,
 * and a client error is not a bug.
 */
export class HttpError<Status extends number = number> extends Error {
  /** HTTP status, 400 to 599. */
  declare readonly status: Status
  /** The same as `status`, as in http-errors. */
  declare readonly statusCode: Status
  /** Stable name of the cause in UPPER_SNAKE case. */
  declare readonly code: string
  /** Whether the message is sent to the client. */
  declare readonly expose: boolean
  /** Headers of the response. */
  declare readonly headers?: ErrorHeaders
  /** The invalid values of the request. */
  declare readonly errors?: readonly ErrorEntry[]
  /** Values for the translated message. */
  declare readonly params?: Readonly<Record<string, unknown>>
  /** `type` of the problem document: an absolute URI. */
  declare readonly type?: string
  /** `title` of the problem document. */
  declare readonly title?: string
  /** Extension members of the problem document (RFC 9457 §3.2). */
  declare readonly extensions?: Readonly<Record<string, unknown>>

  constructor(status: Status, message?: string, init: HttpErrorInit = NO_INIT) {
    checkArguments(status, message, init)
    // Converted here, since nothing may throw between the next lines.
    const text = toMessage(status, message)
    const limit = status < 500 ? omitStacks() : undefined
    super(text, init.cause === undefined ? undefined : { cause: init.cause })
    if (status < 500) restoreStacks(limit, this, 'HttpError')
    setProperties(this, status, message, init)
  }

  static {
    hide(this.prototype, 'name', 'HttpError')
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }
}

/**
 * Creates an error to throw or to pass to `next`. Throws a `TypeError` if the status is not 400 to
 * 599, or if an option does not exist or is not valid.
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

/**
 * Creates an error to return instead of throwing it, like that of `httpError()`. But below 500 it
 * is not a native error (`Error.isError()`), which is most of the cost.
 *
 * @example if (!employee) return next(httpErrorValue(404, `Employee ${id} does not exist.`))
 */
export function httpErrorValue<const Status extends number>(
  status: Status,
  message?: string,
  init: HttpErrorInit = NO_INIT,
): HttpError<Status> {
  if (status >= 500) return new HttpError(status, message, init)
  checkArguments(status, message, init)
  const error = new ErrorValue(toMessage(status, message)) as unknown as HttpError<Status>
  if (init.cause !== undefined) hide(error, 'cause', init.cause)
  setProperties(error, status, message, init)
  return error
}

/**
 * An `HttpError` by its prototype. Message and stack are accessors: no copy and no JSON contains
 * them, as with a native error.
 */
class ErrorValue {
  readonly #message: string

  constructor(message: string) {
    this.#message = message
  }

  get message(): string {
    return this.#message
  }

  set message(value: string) {
    hide(this, 'message', value)
  }

  get stack(): string {
    return `HttpError: ${this.message}`
  }

  set stack(value: string) {
    hide(this, 'stack', value)
  }

  static {
    Object.setPrototypeOf(this.prototype, HttpError.prototype)
    hide(this.prototype, 'constructor', HttpError)
  }
}

/** Sets a property that is not enumerable. */
function hide(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, configurable: true })
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

function checkArguments(status: number, message: string | undefined, init: HttpErrorInit): void {
  if (!isErrorStatus(status)) throw createArgumentError('errors', 'status', '400 to 599', status)
  if (typeof message === 'object') throw createArgumentError('errors', 'message', 'a string', message)
  if (init !== NO_INIT) checkInit('errors: httpError', init, OPTIONS)
  const { code, type } = init
  if (code !== undefined && !isCode(code)) throw createArgumentError('errors', 'code', 'in UPPER_SNAKE case', code)
  if (type !== undefined && !URL.canParse(type)) throw createArgumentError('errors', 'type', 'an absolute URI', type)
}

function toMessage(status: number, message: string | undefined): string {
  return message === undefined ? getStatusDefaults(status).message : String(message)
}

function setProperties<Status extends number>(
  error: Writable<HttpError<Status>>,
  status: Status,
  message: string | undefined,
  { code, expose, headers, retryAfter, errors, params, type, title, extensions }: HttpErrorInit,
): void {
  error.status = status
  error.statusCode = status
  error.code = code ?? getStatusDefaults(status).code
  error.expose = expose ?? (status < 500 || message === undefined)
  const allHeaders = retryAfter === undefined ? headers : { ...headers, 'Retry-After': formatRetryAfter(retryAfter) }
  if (allHeaders) error.headers = allHeaders
  if (errors) error.errors = errors
  if (params) error.params = params
  if (type !== undefined) error.type = type
  if (title !== undefined) error.title = title
  if (extensions) error.extensions = extensions
}

/**
 * Throws a `TypeError` if an option does not exist or has another type. It is called for each
 * error, so the checks that name the option only run if one fails.
 */
export function checkInit(owner: string, init: HttpErrorInit, supported: ReadonlySet<string>): void {
  if (isValid(init, supported)) return
  assertKnownOptions(owner, init, [...supported])
  assertTypes('errors', init, TYPES)
}

function isValid(init: unknown, supported: ReadonlySet<string>): boolean {
  if (typeof init !== 'object' || init === null) return false
  const options = init as Readonly<Record<string, unknown>>
  for (const name in options) {
    if (!supported.has(name)) return false
    const value = options[name]
    const type = TYPES[name]
    if (value === undefined || type === undefined) continue
    const isList = Array.isArray(value)
    if (type === 'array' ? !isList : isList || value === null || typeof value !== type) return false
  }
  return true
}

/** An error in the format of http-errors, such as those that the other packages pass to `next`. */
export interface HttpErrorLike extends Error {
  /** HTTP status of the response. */
  status: number
  /** The same as `status`. */
  statusCode: number
  /** Whether the message is sent to the client. */
  expose: boolean
  /** Headers of the response. */
  headers?: ErrorHeaders
}

/** Whether a value is an error of any copy of this package, or in the format of http-errors. */
export function isHttpError(value: unknown): value is HttpErrorLike {
  if (isHttpErrorInstance(value)) return true
  if (!(value instanceof Error)) return false
  const { expose, status, statusCode } = value as Partial<HttpErrorLike>
  return typeof expose === 'boolean' && typeof statusCode === 'number' && status === statusCode
}

/** Whether a value is an `HttpError` of any copy of this package. */
export function isHttpErrorInstance(value: unknown): value is HttpError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true
}

/** 68 years: more than clients read as an integer. */
const MAX_SECONDS = 2 ** 31 - 1

/**
 * Formats `Retry-After` in either form (RFC 9110 §10.2.3). Throws a `TypeError` for any other
 * value.
 */
function formatRetryAfter(after: number | Date): string {
  if (after instanceof Date && !Number.isNaN(after.getTime())) return after.toUTCString()
  if (typeof after === 'number' && Number.isFinite(after))
    return String(Math.min(Math.max(1, Math.ceil(after)), MAX_SECONDS))
  throw createArgumentError('errors', 'retryAfter', 'seconds or a Date', after)
}
