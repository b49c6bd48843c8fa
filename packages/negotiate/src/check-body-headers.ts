import type { HttpErrorLike } from '../../internal/http-error.ts'
import { acceptHeaders } from './accept-headers.ts'
import { MAX_LAYERS, parseContentEncoding } from './content-encoding.ts'
import { DECODABLE } from './decode-stream.ts'
import { createNegotiateError, unsupportedEncoding } from './errors.ts'
import { getValue, type HeadersLike } from './header-source.ts'
import { type MediaType, parseMediaType } from './media-type.ts'

/** The request bodies that a resource accepts. */
export interface BodyHeaderRules {
  /** Media types that the resource accepts with this method; a range such as `image/*` is one. */
  types: readonly string[]
  /** Encodings that it accepts, `[]` for none. @defaultValue all that Node.js can decode */
  encodings?: readonly string[]
  /** Charsets that it accepts. @defaultValue ['utf-8'] */
  charsets?: readonly string[]
}

/** The request to check: of node:http, Express, Koa or Fetch. */
export interface BodyRequest {
  /** The HTTP method; some have no body to check. */
  readonly method?: string | undefined
  /** The request fields, by their names in lower case. */
  readonly headers: HeadersLike
  /** The body of a Fetch `Request`. */
  readonly body?: unknown
}

/**
 * Checks what the fields say about a request's body, before it is read. Returns the failure to hand to `next`: 415
 * with `Accept` and `Accept-Post`, `Accept-Patch` or `Accept-Query` for a type or charset, 415 with `Accept-Encoding`
 * for a coding (RFC 9110 15.5.16), 400 for a QUERY without a type (RFC 10008 2.1) and a PUT of a part (RFC 9110
 * 14.5). `undefined`: read it; also where there is no body.
 */
export function checkBodyHeaders(req: BodyRequest, accepted: BodyHeaderRules): HttpErrorLike | undefined {
  const { method = 'GET', headers } = req
  const { types, encodings = DECODABLE, charsets = ['utf-8'] } = accepted
  const contentType = getValue(headers, 'content-type')
  if (method === 'QUERY' && contentType === undefined) return untypedQuery(types)
  if (!hasBody(req)) return undefined
  if (method === 'PUT' && getValue(headers, 'content-range') !== undefined) return partialPut()

  const type = contentType === undefined ? undefined : parseMediaType(contentType)
  if (type === undefined || !isAccepted(type, types))
    return unsupportedType(method, types, contentType ?? 'a body without Content-Type')
  const charset = type.parameters.get('charset')
  if (charset !== undefined && !charsets.some((name) => isSameCharset(name, charset)))
    return unsupportedType(method, types, `the charset ${charset}`)

  const layers = parseContentEncoding(getValue(headers, 'content-encoding'))
  if (layers.length > MAX_LAYERS || !layers.every((layer) => encodings.includes(layer)))
    return unsupportedEncoding(encodings)
  return undefined
}

/** A request has a body when it announces one (RFC 9112 6.3); of length 0 there is nothing to judge. */
function hasBody({ headers, body }: BodyRequest): boolean {
  // A Fetch Request need not name a length, but knows whether it has a body.
  if (body instanceof ReadableStream) return true
  return getValue(headers, 'transfer-encoding') !== undefined || Number(getValue(headers, 'content-length') ?? 0) > 0
}

function isAccepted({ essence }: MediaType, types: readonly string[]): boolean {
  return types.some((type) => {
    const end = type.indexOf(';')
    const name = (end === -1 ? type : type.slice(0, end)).trim().toLowerCase()
    return name === essence || name === '*/*' || (name.endsWith('/*') && essence.startsWith(name.slice(0, -1)))
  })
}

// `utf8` is no registered name, and half of the clients write it.
function isSameCharset(accepted: string, given: string): boolean {
  const name = accepted.toLowerCase()
  return name === given || (name === 'utf-8' && (given === 'utf8' || given === 'us-ascii'))
}

function unsupportedType(method: string, types: readonly string[], what: string): HttpErrorLike {
  const shown = what.length > 80 ? `${what.slice(0, 77)}...` : what
  return createNegotiateError({
    status: 415,
    code: 'ERR_NEGOTIATE_UNSUPPORTED_TYPE',
    message: `This resource does not take ${shown}. It takes ${types.join(', ')}.`,
    headers: { Accept: types.join(', '), ...acceptHeaders({ [method]: types }) },
    params: { type: shown, supported: types },
  })
}

function untypedQuery(types: readonly string[]): HttpErrorLike {
  return createNegotiateError({
    status: 400,
    code: 'ERR_NEGOTIATE_CONTENT_TYPE_REQUIRED',
    message: 'A QUERY needs a body and its Content-Type.',
    headers: acceptHeaders({ QUERY: types }),
  })
}

function partialPut(): HttpErrorLike {
  const message = 'PUT replaces the whole resource: a body with Content-Range is not taken.'
  return createNegotiateError({ status: 400, code: 'ERR_NEGOTIATE_PARTIAL_PUT', message })
}
