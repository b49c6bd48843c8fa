import { attempt, isPromise } from '../../internal/guard.ts'
import type { IncomingMessage, Next, ServerResponse } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'
import type { OnRefused } from '../../internal/refuse.ts'
import { createPreconditionError } from './check-preconditions.ts'
import { mediaType } from './choose.ts'
import { type ContentEncoding, ENCODINGS } from './codecs.ts'
import { compressBody } from './compress-body.ts'
import { isCompressible as isCompressibleType } from './compressible.ts'
import { isConditional, isReadMethod } from './conditional-headers.ts'
import { destroyBody } from './destroy-body.ts'
import { evaluateCondition } from './evaluate-condition.ts'
import { handleError } from './handle-error.ts'
import { type NotAcceptableError, notAcceptable } from './not-acceptable.ts'
import { getNegotiator, offers } from './offers.ts'
import type { Body, Representation } from './representation.ts'
import { buildHeaders, buildNotModifiedHeaders, type OutgoingRepresentation } from './representation-headers.ts'
import { acceptsIdentity, IDENTITY, MIN_BYTES, selectEncoding } from './select-encoding.ts'
import { isStream, sendStream } from './send-stream.ts'
import { buildStem, createStem, digest, type ETagStem, formatTag } from './validators.ts'

// Headers of a body that is already encoded, or a part, or whose bytes have a digest (RFC 9530).
const FIXED_CONTENT = /^(?:content-(?:encoding|range|digest|md5)|(?:repr-)?digest)$/i
const CACHE_CONTROL = /^cache-control$/i
const NO_TRANSFORM = /no-transform/i
/** A complete body. */
type Content = string | Uint8Array | undefined

/**
 * Up to this size a string is sent in one write with the headers; a larger one costs more to copy.
 */
const MAX_TEXT_BYTES = 8192
const negotiateEncoding = getNegotiator('encoding', offers(ENCODINGS))

/**
 * Sends a representation and ends the response: with its ETag and `Vary`, as 304 if the client has
 * it already, compressed if that makes it smaller, and without a body for HEAD. For services that
 * end their own responses; all headers are written in one call. Errors (406, 412, a body that
 * cannot be created) go to `next` if an error handler is mounted, otherwise they become a JSON
 * error record, see `refuse`.
 */
export function sendRepresentation(
  req: IncomingMessage,
  res: ServerResponse,
  representation: Representation,
  next?: Next,
  onRefused?: OnRefused,
): void {
  if (!representation) throw createRepresentationError('sendRepresentation', representation)
  const fail = (error: unknown): void => handleError(error, 'ERR_NEGOTIATE_BODY_FAILED', req, res, next, onRefused)
  const chosen = representation.formats ? chooseFormat(req, representation, representation.formats) : representation
  if (chosen instanceof Error) return fail(chosen)
  const { status = 200 } = chosen
  const body = status === 205 ? discard(chosen.body) : chosen.body // no content (RFC 9110 §15.3.6)
  // Ranges refer to the uncompressed content.
  const encodings = status === 206 ? IDENTITY : negotiateEncoding(req.headers['accept-encoding'])
  const isCompressible = canCompress(chosen, status)
  if (isCompressible && encodings.best === undefined && status < 400) {
    discard(body)
    return fail(notAcceptable([...ENCODINGS, 'identity'], { vary: ['Accept-Encoding'] }))
  }
  const outgoing: OutgoingRepresentation = { req, res, representation: chosen, status, encodings, isCompressible, fail }

  // A part has the ETag of its 200 (RFC 9110 §15.3.7), but not one by its own bytes.
  const isTagged = chosen.etag || hasETag(req.method, status) || (status === 206 && isReadMethod(req.method))
  const stem = isTagged ? createStem(chosen) : undefined
  if ((stem || chosen.etag === false) && respondToConditions(outgoing, stem, body)) return discard(body)
  try {
    const content = typeof body === 'function' ? body() : body
    if (isPromise(content)) content.then((late) => attempt(() => sendBody(outgoing, late, stem), fail), fail)
    else sendBody(outgoing, content, stem)
  } catch (error) {
    fail(error)
  }
}

/** Creates the error of a missing argument. */
export function createRepresentationError(owner: string, value: unknown): TypeError {
  return new TypeError(`negotiate: ${owner}: representation must be an object, got ${inspectValue(value)}`)
}

/**
 * Returns the representation in the format that the client prefers, or the 406 if it accepts none.
 */
function chooseFormat(
  req: IncomingMessage,
  representation: Representation,
  formats: NonNullable<Representation['formats']>,
): Representation | NotAcceptableError {
  const types = Object.keys(formats)
  const { status = 200 } = representation
  // An error is sent in a type that the client does not accept rather than replaced by a 406.
  const type = mediaType(req, types) ?? (status >= 400 ? types[0] : undefined)
  if (type === undefined) return notAcceptable(types)
  return { ...representation, type, body: formats[type], vary: ['Accept', ...(representation.vary ?? [])] }
}

/** Sends a body. Without an early ETag, the conditions have not been evaluated yet. */
function sendBody(outgoing: OutgoingRepresentation, body: Body, earlyStem: ETagStem | undefined): void {
  const { req, representation, status } = outgoing
  const isLate = !earlyStem && representation.etag !== false
  if (typeof body === 'object' && isStream(body)) {
    if (isLate && respondToConditions(outgoing, undefined, body)) return destroyBody(body)
    return sendStream(outgoing, body, earlyStem)
  }
  if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError(
      `negotiate: sendRepresentation: body must be text, bytes or a stream, got ${inspectValue(body)}`,
    )
  if (!isLate) return sendContent(outgoing, body, earlyStem, undefined)
  const isHashed = body !== undefined && hasETag(req.method, status)
  const content = isHashed && typeof body === 'string' ? Buffer.from(body) : body
  const hash = isHashed && content !== undefined ? digest(content) : undefined
  const stem = hash === undefined ? undefined : buildStem(hash, representation)
  if (!respondToConditions(outgoing, stem, content)) sendContent(outgoing, content, stem, hash)
}

/** Sends a complete body, compressed if the client accepts that and it gets smaller. */
export function sendContent(
  outgoing: OutgoingRepresentation,
  content: Content,
  stem: ETagStem | undefined,
  hash: string | undefined,
): void {
  const { isCompressible, encodings, fail } = outgoing
  const size = typeof content === 'string' ? Buffer.byteLength(content) : (content?.length ?? 0)
  const encoding = isCompressible ? selectEncoding(encodings, size, MIN_BYTES) : undefined
  const isText = typeof content === 'string' && encoding === undefined && size <= MAX_TEXT_BYTES
  const bytes = typeof content === 'string' && !isText ? Buffer.from(content) : content
  if (bytes === undefined || typeof bytes === 'string' || encoding === undefined)
    return finish(outgoing, bytes, size, stem, 'identity')
  const send = (compressed: Buffer): void => {
    if (compressed.length >= size && acceptsIdentity(encodings)) finish(outgoing, bytes, size, stem, 'identity')
    else finish(outgoing, compressed, compressed.length, stem, encoding)
  }
  compressBody(bytes, encoding, hash, (error, compressed) =>
    error ? fail(error) : attempt(() => send(compressed), fail),
  )
}

function finish(
  outgoing: OutgoingRepresentation,
  content: Content,
  size: number,
  stem: ETagStem | undefined,
  encoding: ContentEncoding | 'identity',
): void {
  const { req, res, status } = outgoing
  const headers = buildHeaders(outgoing, stem && formatTag(stem, encoding), encoding)
  // 204 has no length (RFC 9110 §8.6); HEAD has that of GET.
  if (status !== 204 && status !== 304) headers['Content-Length'] = size
  res.writeHead(status, headers)
  res.end(req.method === 'HEAD' ? undefined : content)
}

// A response to PUT has no ETag unless the bytes are stored unchanged (RFC 9110 §9.3.4); the app
// then passes `etag`.
function hasETag(method: string | undefined, status: number): boolean {
  if (isReadMethod(method)) return status === 200 || status === 203
  return (method === 'PATCH' && status === 200) || (method === 'POST' && status === 201)
}

/**
 * Whether a response, or that of which it is a part, may be compressed. It then varies by
 * `Accept-Encoding` (RFC 9110 §15.3.7).
 */
export function canCompress({ type, compress, cacheControl, headers }: Representation, status: number): boolean {
  if (type === undefined || compress === false || status === 204 || status === 205) return false
  for (const name in headers) {
    if (FIXED_CONTENT.test(name) && !(status === 206 && name.toLowerCase() === 'content-range')) return false
    if (CACHE_CONTROL.test(name) && NO_TRANSFORM.test(String(headers[name]))) return false
  }
  // The encoder of a stream holds what it gets back, and events must not wait.
  if (type.startsWith('text/event-stream')) return false
  return !NO_TRANSFORM.test(cacheControl ?? '') && isCompressibleType(type)
}

/** Responds with 304 or 412 if a condition requires it (RFC 9110 §13.2.2). */
function respondToConditions(
  outgoing: OutgoingRepresentation,
  stem: ETagStem | undefined,
  body: Representation['body'],
): boolean {
  const { req, res, representation, status, encodings, isCompressible } = outgoing
  const { method, headers } = req
  if (!isConditional(headers)) return false
  const encoding = (isCompressible && selectEncoding(encodings, getSize(body), MIN_BYTES)) || 'identity'
  const { lastModified } = representation
  const result = evaluateCondition({ method, headers, status, stem, lastModified, encodings, encoding })
  if (result?.outcome === 'failed') outgoing.fail(createPreconditionError(headers))
  else if (result?.outcome === 'not-modified') res.writeHead(304, buildNotModifiedHeaders(outgoing, result.etag)).end()
  else return false
  return true
}

/** Returns the size of a complete body. A function or stream may produce any size. */
function getSize(body: Representation['body']): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.length : Number.POSITIVE_INFINITY
}

/** Destroys the body if it is a stream. */
function discard(body: Representation['body']): undefined {
  if (typeof body !== 'function' && isStream(body)) destroyBody(body)
  return undefined
}
