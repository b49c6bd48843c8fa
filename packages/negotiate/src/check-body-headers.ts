import type { HttpErrorLike } from '../../internal/http-error.ts'
import { memoize } from '../../internal/memoize.ts'
import { assertKnownOptions, assertType, assertTypes } from '../../internal/options.ts'
import { acceptHeaders } from './accept-headers.ts'
import { DECODABLE } from './decoders.ts'
import { MAX_LAYERS, normalizeEncoding, parseContentEncoding } from './encodings.ts'
import { createEncodingError, createNegotiateError } from './errors.ts'
import { assertLowerCase, getValue, type HeadersLike } from './header-source.ts'
import { type MediaType, parseMediaType } from './media-type.ts'

// Clients of an app send few types.
const parseType = memoize(parseMediaType)

const OWNER = 'negotiate: checkBodyHeaders'
const RULE_TYPES = { encodings: 'strings', charsets: 'strings' } as const
const RULES = ['types', 'encodings', 'charsets']
const checked = new WeakSet<BodyHeaderRules>()

const USUAL_NAMES = ['Content-Type', 'Content-Length', 'Transfer-Encoding']

/** The request bodies that a resource accepts. */
export interface BodyHeaderRules {
  /** Media types that the resource accepts with this method, or ranges such as `image/*`. */
  types: readonly string[]
  /** Accepted encodings; `[]` for none. @defaultValue all that Node.js can decode */
  encodings?: readonly string[]
  /** Accepted charsets. @defaultValue ['utf-8'] */
  charsets?: readonly string[]
}

/** The request to check, of node:http, Express, Koa or Fetch. */
export interface BodyRequest {
  /** The HTTP method. Only requests with a body are checked. */
  readonly method?: string | undefined
  /** The request headers, by their names in lower case. */
  readonly headers: HeadersLike
  /** The body of a Fetch `Request`. */
  readonly body?: unknown
}

/**
 * Checks the headers of a request body before it is read. Returns the error for `next`: 415 with
 * `Accept` and `Accept-Post`, `Accept-Patch` or `Accept-Query` for a type or charset, 415 with
 * `Accept-Encoding` for an encoding (RFC 9110 §15.5.16), or 400 for a QUERY without a type (RFC
 * 10008 §2.1) and for a partial PUT (RFC 9110 §14.5). Returns `undefined` if the body can be read
 * or there is none.
 */
export function checkBodyHeaders(req: BodyRequest, accepted: BodyHeaderRules): HttpErrorLike | undefined {
  if (!checked.has(accepted)) assertRules(accepted)
  const { method = 'GET', headers } = req
  const { types, encodings = DECODABLE, charsets = ['utf-8'] } = accepted
  const contentType = getValue(headers, 'content-type')
  if (contentType === undefined) assertLowerCase(headers, USUAL_NAMES)
  if (method === 'QUERY' && contentType === undefined) return createQueryError(types)
  if (!hasBody(req)) return undefined
  if (method === 'PUT' && getValue(headers, 'content-range') !== undefined) return createPartialPutError()

  const type = contentType === undefined ? undefined : parseType(contentType)
  if (type === undefined || !(types.includes(type.essence) || isAccepted(type, types)))
    return contentType
      ? createTypeError(method, types, `Content-Type ${shorten(contentType)}`, { type: shorten(contentType) })
      : createTypeError(method, types, 'A body without Content-Type')
  const charset = type.parameters.get('charset')
  if (charset !== undefined && !charsets.some((name) => isSameCharset(name, charset)))
    return createTypeError(method, types, `The charset ${shorten(charset)}`, { charset: shorten(charset) })

  const contentEncoding = getValue(headers, 'content-encoding')
  if (contentEncoding === undefined) return undefined
  const layers = parseContentEncoding(contentEncoding)
  if (layers.length > MAX_LAYERS || !layers.every((layer) => encodings.some((name) => isSameEncoding(name, layer))))
    return createEncodingError(encodings)
  return undefined
}

/** A typo must not accept a body. Rules are checked once. */
function assertRules(accepted: BodyHeaderRules): void {
  assertType(OWNER, 'types', accepted?.types, 'strings')
  assertKnownOptions(OWNER, accepted, RULES)
  assertTypes(OWNER, accepted, RULE_TYPES)
  checked.add(accepted)
}

/** A request that may be one of node:http2. */
interface StreamRequest extends BodyRequest {
  readonly stream?: { readonly endAfterHeaders?: boolean }
}

/** A request has a body if it announces one (RFC 9112 §6.3). A body of length 0 needs no check. */
function hasBody({ headers, body, stream }: StreamRequest): boolean {
  const length = getValue(headers, 'content-length')
  if (length !== undefined && Number(length) !== 0) return true
  if (getValue(headers, 'transfer-encoding') !== undefined) return true
  // Without a length, a Fetch Request knows whether it has a body. HTTP/2 announces one by not
  // ending the stream with the headers (RFC 9113 §8.1).
  return length === undefined && (body instanceof ReadableStream || stream?.endAfterHeaders === false)
}

function isAccepted({ essence }: MediaType, types: readonly string[]): boolean {
  return types.some((type) => {
    const end = type.indexOf(';')
    const name = (end === -1 ? type : type.slice(0, end)).trim().toLowerCase()
    return name === essence || name === '*/*' || (name.endsWith('/*') && essence.startsWith(name.slice(0, -1)))
  })
}

// `utf8` is not registered, but common in clients.
function isSameCharset(accepted: string, requested: string): boolean {
  const name = accepted.toLowerCase()
  return name === requested || (name === 'utf-8' && (requested === 'utf8' || requested === 'us-ascii'))
}

function isSameEncoding(accepted: string, layer: string): boolean {
  return accepted === layer || normalizeEncoding(accepted.toLowerCase()) === layer
}

function createTypeError(
  method: string,
  types: readonly string[],
  subject: string,
  params?: { type: string } | { charset: string },
): HttpErrorLike {
  return createNegotiateError({
    status: 415,
    code: 'ERR_NEGOTIATE_CONTENT_TYPE_UNSUPPORTED',
    message: `${subject} is not supported. Supported: ${types.join(', ')}.`,
    headers: { Accept: types.join(', '), ...acceptHeaders({ [method]: types }) },
    params: { ...params, supported: types },
  })
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

function createQueryError(types: readonly string[]): HttpErrorLike {
  return createNegotiateError({
    status: 400,
    code: 'ERR_NEGOTIATE_CONTENT_TYPE_REQUIRED',
    message: 'A QUERY must have a body and a Content-Type.',
    headers: acceptHeaders({ QUERY: types }),
  })
}

function createPartialPutError(): HttpErrorLike {
  const message = 'PUT replaces the whole resource. Send the body without Content-Range.'
  return createNegotiateError({ status: 400, code: 'ERR_NEGOTIATE_PARTIAL_PUT', message })
}
