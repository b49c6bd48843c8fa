import type { Finding } from '../classify.ts'
import type { ErrorHeaders } from '../http-error.ts'
import { isErrorStatus } from '../status.ts'

/**
 * Errors that carry a status: the convention of http-errors, which Express, Koa and Fastify follow. The message is
 * shown only if `expose` says so, and never if the error is one of the language or of the system that somebody
 * dressed up: "ENOENT: ... '/srv/secret'" as a 404 is what `res.sendFile` gives.
 */
export function fromStatus(error: object): Finding | undefined {
  const { status, statusCode, expose, message, code, headers } = error as Partial<Record<string, unknown>>
  const own = status ?? statusCode
  if (!isErrorStatus(own) || tellsOfAnotherServer(error)) return undefined
  const finding: Finding = { status: own, headers: headersOf(headers) }
  if (expose !== true || isDressedUp(error)) return finding
  if (typeof message === 'string') finding.message = message
  if (typeof code === 'string') finding.code = code
  return finding
}

const NATIVE = new Set(['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'URIError', 'EvalError'])

function isDressedUp(error: object): boolean {
  return 'syscall' in error || 'errno' in error || NATIVE.has(String((error as { name?: unknown }).name))
}

/** The status in an error of an HTTP client (axios, octokit, AWS, ky...) is another server's, not ours. */
function tellsOfAnotherServer(error: object): boolean {
  return 'response' in error || 'request' in error || '$metadata' in error || 'requestID' in error
}

/** Fields as strings; whatever is no text, number or list of texts is left out. */
export function headersOf(headers: unknown): ErrorHeaders {
  const fields: ErrorHeaders = {}
  if (typeof headers !== 'object' || headers === null) return fields
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') fields[name] = value
    else if (typeof value === 'number') fields[name] = String(value)
    else if (Array.isArray(value) && value.every((item) => typeof item === 'string')) fields[name] = value
  }
  return fields
}
