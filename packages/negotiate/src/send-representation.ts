import { attempt, callSafely } from '../../internal/guard.ts'
import type { HttpErrorLike } from '../../internal/http-error.ts'
import type { IncomingMessage, Next, ServerResponse } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'
import { sendErrorRecord } from '../../internal/record.ts'
import { handlesErrors, type OnRefused, refuse } from '../../internal/refuse.ts'
import { createPreconditionError } from './check-preconditions.ts'
import { mediaType } from './choose.ts'
import { ENCODINGS } from './codecs.ts'
import { isCompressible as isCompressibleType } from './compressible.ts'
import { createNegotiateError } from './errors.ts'
import { digest } from './etag.ts'
import { evaluateCondition, isConditional } from './evaluate-condition.ts'
import { isReadMethod } from './is-read-method.ts'
import { type NotAcceptableError, notAcceptable } from './not-acceptable.ts'
import { getNegotiator, offers } from './offers.ts'
import type { Body, Representation } from './representation.ts'
import { buildNotModifiedHeaders, type OutgoingRepresentation } from './representation-headers.ts'
import { buildStem, createStem, type ETagStem } from './representation-tag.ts'
import { IDENTITY, MIN_BYTES, selectEncoding } from './select-encoding.ts'
import { sendContent } from './send.ts'
import { destroyBody, isStream, sendStream } from './send-stream.ts'

// Headers of a body that is already encoded, or a part, or whose bytes have a digest (RFC 9530).
const FIXED_CONTENT = /^(?:content-(?:encoding|range|digest|md5)|(?:repr-)?digest)$/i
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
  const fail = (error: unknown): void => handleError(error, req, res, next, onRefused)
  const chosen = representation.formats ? chooseFormat(req, representation, representation.formats) : representation
  if (chosen instanceof Error) return fail(chosen)
  const { status = 200, body } = chosen
  // Ranges refer to the uncompressed content.
  const encodings = status === 206 ? IDENTITY : negotiateEncoding(req.headers['accept-encoding'])
  const isCompressible = canCompress(chosen, status)
  if (isCompressible && encodings.best === undefined && status < 400) {
    discard(body)
    return fail(notAcceptable([...ENCODINGS, 'identity'], { vary: ['Accept-Encoding'] }))
  }
  const outgoing: OutgoingRepresentation = { req, res, representation: chosen, status, encodings, isCompressible, fail }

  const stem = chosen.etag || hasETag(req.method, status) ? createStem(chosen) : undefined
  if ((stem || chosen.etag === false) && respondToConditions(outgoing, stem, body)) return discard(body)
  const send = (content: Body): void => attempt(() => sendBody(outgoing, content, stem), fail)
  if (typeof body === 'function') callSafely(body, send, fail)
  else send(body)
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
  const type = mediaType(req, types)
  if (type === undefined) return notAcceptable(types)
  return { ...representation, type, body: formats[type], vary: ['Accept', ...(representation.vary ?? [])] }
}

function sendBody(outgoing: OutgoingRepresentation, body: Body, earlyStem: ETagStem | undefined): void {
  const { req, representation, status } = outgoing
  if (isStream(body)) {
    return !earlyStem && respondToLateConditions(outgoing, undefined, body)
      ? discard(body)
      : sendStream(outgoing, body, earlyStem)
  }
  if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError(
      `negotiate: sendRepresentation: body must be text, bytes or a stream, got ${inspectValue(body)}`,
    )
  const isHashed = !earlyStem && body !== undefined && representation.etag !== false && hasETag(req.method, status)
  const content = isHashed && typeof body === 'string' ? Buffer.from(body) : body
  const hash = isHashed && content !== undefined ? digest(content) : undefined
  const stem = hash === undefined ? earlyStem : buildStem(hash, representation)
  if (earlyStem || !respondToLateConditions(outgoing, stem, content)) sendContent(outgoing, content, stem, hash)
}

/** Evaluates conditions if the ETag is only known after the body. */
function respondToLateConditions(outgoing: OutgoingRepresentation, stem: ETagStem | undefined, body: Body): boolean {
  return outgoing.representation.etag !== false && respondToConditions(outgoing, stem, body)
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
  for (const name in headers)
    if (FIXED_CONTENT.test(name) && !(status === 206 && name.toLowerCase() === 'content-range')) return false
  return !cacheControl?.toLowerCase().includes('no-transform') && isCompressibleType(type)
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
function discard(body: Representation['body']): void {
  if (typeof body !== 'function' && isStream(body)) destroyBody(body)
}

/** Passes an error to the error handler of the app, or responds with it. */
export function handleError(
  error: unknown,
  req: IncomingMessage,
  res: ServerResponse,
  next?: Next,
  onRefused?: OnRefused,
): void {
  if (next && (onRefused === 'next' || (onRefused === undefined && handlesErrors(req, next)))) return next(error)
  const refused = toHttpError(error)
  if (next && typeof onRefused === 'function') return refuse(refused, req, res, next, onRefused)
  if (refused.status >= 500) warn(error)
  sendErrorRecord(req, res, refused)
}

/** Emits a warning, since no error handler of the app sees the cause. */
function warn(error: unknown): void {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const message = 'negotiate: the body of a representation could not be created; the response is 500'
  process.emitWarning(message, { code: 'ERR_NEGOTIATE_BODY_FAILED', detail })
}

function toHttpError(error: unknown): HttpErrorLike {
  if (isHttpError(error)) return error
  const message = 'The representation could not be created.'
  return createNegotiateError({ status: 500, code: 'ERR_NEGOTIATE_BODY_FAILED', message, cause: error })
}

// An error of an HTTP client also has a status and a code: those of the response of another server.
function isHttpError(error: unknown): error is HttpErrorLike {
  return error instanceof Error && 'expose' in error && 'status' in error && 'code' in error
}
