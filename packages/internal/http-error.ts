export interface HttpErrorInit {
  /** HTTP status, 400 to 599. */
  status: number
  /** Stable name of the cause, such as `ERR_RATELIMIT_EXCEEDED`. */
  code: string
  /** One sentence, safe to show to the client when `expose` is true. */
  message: string
  /** Whether the client may read the message. @defaultValue true below 500 */
  expose?: boolean
  /** Fields that the answer must carry, such as `Retry-After`. */
  headers?: Record<string, string>
  /** The values that the message names, for whoever writes it in another language. */
  params?: Readonly<Record<string, unknown>>
  /** `type` of the problem document: an absolute URI. */
  type?: string
  /** Extension members of the problem document (RFC 9457 §3.2). */
  extensions?: Readonly<Record<string, unknown>>
  /** The error behind this one. It is for logs alone. */
  cause?: unknown
}

// @svc/errors sends the type and the extension members of an error with this mark, and of no other.
const TRUSTED = Symbol.for('svc.HttpError')

/**
 * The error that all packages hand to `next`. Its shape is the convention of http-errors, so that
 * Express, Koa and Fastify read the status and headers too.
 */
export interface HttpErrorLike extends Error {
  /** HTTP status, 400 to 599. */
  status: number
  /** The same as `status`, under its other name in http-errors. */
  statusCode: number
  /** Stable name of the cause, such as `ERR_RATELIMIT_EXCEEDED`. */
  code: string
  /** Whether the client may read the message. */
  expose: boolean
  /** Fields that the answer must carry. */
  headers?: Record<string, string>
  /** The values that the message names. */
  params?: Readonly<Record<string, unknown>>
  /** `type` of the problem document. */
  type?: string
  /** Extension members of the problem document. */
  extensions?: Readonly<Record<string, unknown>>
}

/** Makes a failure. Below 500 it has no stack: it tells of the client's mistake, and a stack is most of its cost. */
export function createHttpError(init: HttpErrorInit): HttpErrorLike {
  const { status, code, message, headers, params, type, extensions, cause, expose = status < 500 } = init
  const text = String(message)
  const limit = Error.stackTraceLimit
  if (status < 500) Error.stackTraceLimit = 0
  const error = new Error(text, cause === undefined ? undefined : { cause })
  Error.stackTraceLimit = limit
  Object.defineProperty(error, TRUSTED, { value: true })
  return Object.assign(
    error,
    { status, statusCode: status, code, expose },
    headers && { headers },
    params && { params },
    type && { type },
    extensions && { extensions },
  )
}
