import { isHttpClientError } from '../../../internal/http-client-error.ts'
import type { RecognizedError } from '../classification.ts'
import type { ErrorHeaders } from '../http-error.ts'
import { isErrorStatus } from '../status.ts'

/**
 * Recognizes errors with a status, the convention of http-errors in Express, Koa and Fastify. The
 * message is only shown if `expose` is true, or if the framework writes its messages for clients
 * (Fastify, Hono).
 */
export function fromStatus(error: object): RecognizedError | undefined {
  const { status, statusCode, message, code, headers, params } = error as Partial<Record<string, unknown>>
  const errorStatus = status ?? statusCode
  if (!isErrorStatus(errorStatus) || isHttpClientError(error)) return undefined
  const recognized: RecognizedError = {
    status: errorStatus,
    headers: { ...getResponseHeaders(error), ...readHeaders(headers) },
  }
  if (!isExposed(error, errorStatus) || isSystemError(error)) return recognized
  if (typeof message === 'string') recognized.message = message
  if (typeof code === 'string') recognized.code = code
  if (typeof params === 'object' && params !== null) recognized.params = params as Record<string, unknown>
  return recognized
}

/** Returns the headers of the response that an HTTPException of Hono has, such as its challenge. */
function getResponseHeaders(error: object): ErrorHeaders | undefined {
  const { getResponse, res } = error as { getResponse?: unknown; res?: { headers?: unknown } }
  if (typeof getResponse !== 'function' || !(res?.headers instanceof Headers)) return undefined
  const headers: ErrorHeaders = Object.fromEntries(res.headers)
  if ('set-cookie' in headers) headers['set-cookie'] = res.headers.getSetCookie()
  return headers
}

function isExposed(error: object, status: number): boolean {
  const { expose, name, getResponse } = error as Partial<Record<string, unknown>>
  if (typeof expose === 'boolean') return expose
  return status < 500 && (name === 'FastifyError' || typeof getResponse === 'function')
}

const NATIVE = new Set(['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'URIError', 'EvalError'])

/**
 * Whether an error of the language or of the system got a status afterward, as by
 * `createError(404, error)`. Its message was not written for a client: "ENOENT: ... '/srv/secret'"
 * is the 404 of `res.sendFile`.
 */
export function isSystemError(error: object): boolean {
  return 'syscall' in error || 'errno' in error || isNativeError(error)
}

/** Whether an error has the name of a built-in error, such as TypeError. */
export function isNativeError(error: object): boolean {
  return NATIVE.has(String((error as { name?: unknown }).name))
}

/**
 * Returns headers as strings. A value that is not a string, a number or a list of strings is
 * omitted.
 */
export function readHeaders(headers: unknown): ErrorHeaders {
  const result: ErrorHeaders = {}
  if (typeof headers !== 'object' || headers === null) return result
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') result[name] = value
    else if (typeof value === 'number') result[name] = String(value)
    else if (Array.isArray(value) && value.every((item) => typeof item === 'string')) result[name] = value
  }
  return result
}
