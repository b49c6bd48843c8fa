import { omitStacks, restoreStacks } from './stack-trace.ts'

export interface HttpErrorInit {
  /** HTTP status, 400 to 599. */
  status: number
  /** Stable name of the cause, such as `ERR_RATELIMIT_EXCEEDED`. */
  code: string
  /** One sentence, safe to show to the client if `expose` is true. */
  message: string
  /** Whether the client may read the message. @defaultValue true below 500 */
  expose?: boolean
  /** Headers that the response must have, such as `Retry-After`. */
  headers?: Record<string, string>
  /** Values in the message, for translations. */
  params?: Readonly<Record<string, unknown>>
  /** `type` of the problem document: an absolute URI. */
  type?: string
  /** Extension members of the problem document (RFC 9457 §3.2). */
  extensions?: Readonly<Record<string, unknown>>
  /** The cause of this error, for logs only. */
  cause?: unknown
}

// @svc/errors sends the type and the extension members only of errors with this symbol.
const TRUSTED = Symbol.for('svc.HttpError')

/**
 * Error that all packages pass to `next`. Its properties follow http-errors, so Express, Koa and
 * Fastify read the status and headers too.
 */
export interface HttpErrorLike extends Error {
  /** HTTP status, 400 to 599. */
  status: number
  /** Same as `status`: http-errors has both names. */
  statusCode: number
  /** Stable name of the cause, such as `ERR_RATELIMIT_EXCEEDED`. */
  code: string
  /** Whether the client may read the message. */
  expose: boolean
  /** Headers that the response must have. */
  headers?: Record<string, string>
  /** Values in the message. */
  params?: Readonly<Record<string, unknown>>
  /** `type` of the problem document. */
  type?: string
  /** Extension members of the problem document. */
  extensions?: Readonly<Record<string, unknown>>
}

/**
 * Creates an error. Below 500 it has no stack: it is a client error, and the stack is most of its
 * cost.
 */
export function createHttpError(init: HttpErrorInit): HttpErrorLike {
  const { status, code, message, headers, params, type, extensions, cause, expose = status < 500 } = init
  const text = String(message)
  const limit = status < 500 ? omitStacks() : undefined
  const error = new Error(text, cause === undefined ? undefined : { cause }) as HttpErrorLike
  if (status < 500) restoreStacks(limit, error, 'Error')
  Object.defineProperty(error, TRUSTED, { value: true })
  error.status = status
  error.statusCode = status
  error.code = code
  error.expose = expose
  if (headers) error.headers = headers
  if (params) error.params = params
  if (type) error.type = type
  if (extensions) error.extensions = extensions
  return error
}
