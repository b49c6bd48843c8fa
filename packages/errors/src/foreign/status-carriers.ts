import type { RecognizedError } from '../classification.ts'
import type { ErrorHeaders } from '../http-error.ts'
import { isErrorStatus } from '../status.ts'

/**
 * Errors that carry a status: the convention of http-errors, which Express, Koa and Fastify follow.
 * The message is shown only if `expose` says so, or if it comes from a framework whose messages are
 * for clients (Fastify, Hono).
 */
export function fromStatus(error: object): RecognizedError | undefined {
  const { status, statusCode, message, code, headers, params } = error as Partial<Record<string, unknown>>
  const errorStatus = status ?? statusCode
  if (!isErrorStatus(errorStatus) || tellsOfAnotherServer(error)) return undefined
  const recognized: RecognizedError = { status: errorStatus, headers: readHeaders(headers) }
  if (!isForClients(error, errorStatus) || isDressedUp(error)) return recognized
  if (typeof message === 'string') recognized.message = message
  if (typeof code === 'string') recognized.code = code
  if (typeof params === 'object' && params !== null) recognized.params = params as Record<string, unknown>
  return recognized
}

function isForClients(error: object, status: number): boolean {
  const { expose, name, getResponse } = error as Partial<Record<string, unknown>>
  if (typeof expose === 'boolean') return expose
  return status < 500 && (name === 'FastifyError' || typeof getResponse === 'function')
}

/**
 * The status in an error of an HTTP client (axios, octokit, AWS, ky...) is another server's, not
 * ours.
 */
function tellsOfAnotherServer(error: object): boolean {
  return 'response' in error || 'request' in error || '$metadata' in error || 'requestID' in error
}

const NATIVE = new Set(['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'URIError', 'EvalError'])

/**
 * Whether an error of the language or of the system was given a status afterwards, as
 * `createError(404, error)` does: its message was never written for a client ("ENOENT: ...
 * '/srv/secret'" is the 404 of `res.sendFile`).
 */
export function isDressedUp(error: object): boolean {
  return 'syscall' in error || 'errno' in error || isNativeError(error)
}

/** Whether an error has the name of one of the language's own, such as TypeError. */
export function isNativeError(error: object): boolean {
  return NATIVE.has(String((error as { name?: unknown }).name))
}

/**
 * Returns headers as strings. A value that is not a string, a number or a list of strings is
 * omitted.
 */
export function readHeaders(headers: unknown): ErrorHeaders {
  const fields: ErrorHeaders = {}
  if (typeof headers !== 'object' || headers === null) return fields
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') fields[name] = value
    else if (typeof value === 'number') fields[name] = String(value)
    else if (Array.isArray(value) && value.every((item) => typeof item === 'string')) fields[name] = value
  }
  return fields
}
