import { attempt, callSafely } from '../../internal/guard.ts'
import type { HttpErrorLike } from '../../internal/http-error.ts'
import type { IncomingMessage, Next, ServerResponse } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'
import { sendErrorRecord } from '../../internal/record.ts'
import { handlesErrors, type OnRefused, refuse } from '../../internal/refuse.ts'
import { createPreconditionError } from './check-preconditions.ts'
import { ENCODINGS } from './coding.ts'
import { isCompressible } from './compressible.ts'
import { createNegotiateError } from './errors.ts'
import { digest } from './etag.ts'
import { evaluateCondition, isConditional } from './evaluate-condition.ts'
import { chooseFormat } from './formats.ts'
import { isRead } from './is-read.ts'
import { notAcceptable } from './not-acceptable.ts'
import { getNegotiator, offers } from './offers.ts'
import type { Body, Representation } from './representation.ts'
import { buildNotModifiedHeaders, type OutgoingRepresentation } from './representation-headers.ts'
import { createStem, type Stem, stemFrom } from './representation-tag.ts'
import { MIN_BYTES, selectEncoding } from './select-encoding.ts'
import { sendContent } from './send.ts'
import { isStream, sendStream } from './send-stream.ts'

// Fields of a body that is coded already, or a part.
const FINAL_FIELD = /^content-(?:encoding|range)$/i
const decideCoding = getNegotiator('encoding', offers(ENCODINGS))

/**
 * Sends a representation and ends the response: with its ETag and `Vary`, as 304 if the client has it already, compressed
 * if that helps, without a body for HEAD. For services that end their own responses: all headers are written at once.
 * What cannot be sent (406, 412, errors of the body) goes to `next` if an error handler is there, else it is a JSON Error
 * record; see `refuse`.
 */
export function sendRepresentation(
  req: IncomingMessage,
  res: ServerResponse,
  given: Representation,
  next?: Next,
  onRefused?: OnRefused,
): void {
  const fail = (error: unknown): void => giveUp(error, req, res, next, onRefused)
  const representation = given.formats ? chooseFormat(req, given, given.formats) : given
  if (representation instanceof Error) return fail(representation)
  const { status = 200, body } = representation
  const codings = decideCoding(req.headers['accept-encoding'])
  const codable = isEncodable(representation, status)
  if (codable && codings.best === undefined && status < 400) {
    discard(body)
    return fail(notAcceptable([...ENCODINGS, 'identity'], { vary: ['Accept-Encoding'] }))
  }
  const exchange: OutgoingRepresentation = { req, res, representation, status, codings, codable, fail }

  const stem = representation.etag || isTagged(req.method, status) ? createStem(representation) : undefined
  if ((stem || representation.etag === false) && isAnsweredByCondition(exchange, stem, body)) return discard(body)
  const send = (made: Body): void => attempt(() => sendBody(exchange, made, stem), fail)
  if (typeof body === 'function') callSafely(body, send, fail)
  else send(body)
}

function sendBody(exchange: OutgoingRepresentation, body: Body, known: Stem | undefined): void {
  const { req, representation, status } = exchange
  if (isStream(body)) {
    return !known && isAnsweredLate(exchange, undefined, body) ? discard(body) : sendStream(exchange, body, known)
  }
  if (body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError(
      `negotiate: sendRepresentation: body must be text, bytes or a stream, got ${inspectValue(body)}`,
    )
  const isHashed = !known && body !== undefined && representation.etag !== false && isTagged(req.method, status)
  const content = isHashed && typeof body === 'string' ? Buffer.from(body) : body
  const hash = isHashed && content !== undefined ? digest(content) : undefined
  const stem = hash === undefined ? known : stemFrom(hash, representation)
  if (known || !isAnsweredLate(exchange, stem, content)) sendContent(exchange, content, stem, hash)
}

/** Conditions of an answer whose tag was not known before its body was. */
function isAnsweredLate(exchange: OutgoingRepresentation, stem: Stem | undefined, body: Body): boolean {
  return exchange.representation.etag !== false && isAnsweredByCondition(exchange, stem, body)
}

// The answer to a PUT has no tag unless the bytes are stored as they came (RFC 9110 9.3.4): then give it as `etag`.
function isTagged(method: string | undefined, status: number): boolean {
  if (isRead(method)) return status === 200 || status === 203
  return (method === 'PATCH' && status === 200) || (method === 'POST' && status === 201)
}

/** Whether a response may be compressed: then it varies by `Accept-Encoding`. */
export function isEncodable({ type, compress, cacheControl, headers }: Representation, status: number): boolean {
  if (type === undefined || compress === false || status === 204 || status === 205 || status === 206) return false
  for (const name in headers) if (FINAL_FIELD.test(name)) return false
  return !cacheControl?.includes('no-transform') && isCompressible(type)
}

/** Answers 304 and 412 (RFC 9110 13.2.2). */
function isAnsweredByCondition(
  exchange: OutgoingRepresentation,
  stem: Stem | undefined,
  body: Representation['body'],
): boolean {
  const { req, res, representation, status, codings, codable } = exchange
  const { method, headers } = req
  if (!isConditional(headers)) return false
  const wanted = (codable && selectEncoding(codings, getSize(body), MIN_BYTES)) || 'identity'
  const { lastModified } = representation
  const result = evaluateCondition({ method, headers, status, stem, lastModified, codings, wanted })
  if (result?.outcome === 'failed') exchange.fail(createPreconditionError(headers))
  else if (result?.outcome === 'not-modified') res.writeHead(304, buildNotModifiedHeaders(exchange, result.etag)).end()
  else return false
  return true
}

/** The size of what is there already; what is still to be made or to come may have any. */
function getSize(body: Representation['body']): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.length : Number.POSITIVE_INFINITY
}

/** A stream that nobody will read keeps its file or socket open. */
function discard(body: Representation['body']): void {
  if (typeof body !== 'function' && isStream(body)) body.destroy()
}

/** Responds with an error, or passes it to the error handler of the app. */
export function giveUp(
  error: unknown,
  req: IncomingMessage,
  res: ServerResponse,
  next?: Next,
  onRefused?: OnRefused,
): void {
  if (next && (onRefused === 'next' || (onRefused === undefined && handlesErrors(req, next)))) return next(error)
  const refused = toHttpError(error)
  if (next && typeof onRefused === 'function') return refuse(refused, req, res, next, onRefused)
  if (refused.status >= 500) report(error)
  sendErrorRecord(req, res, refused)
}

/** No error handler of the app sees it: the cause must not be lost. */
function report(error: unknown): void {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const message = 'negotiate: the body of a representation could not be created, and the response is 500'
  process.emitWarning(message, { code: 'ERR_NEGOTIATE_BODY_FAILED', detail })
}

function toHttpError(error: unknown): HttpErrorLike {
  if (isHttpError(error)) return error
  const message = 'The representation could not be created.'
  return createNegotiateError({ status: 500, code: 'ERR_NEGOTIATE_BODY_FAILED', message, cause: error })
}

// An error of an HTTP client has a status and a code too: those of the response of another server.
function isHttpError(error: unknown): error is HttpErrorLike {
  return error instanceof Error && 'expose' in error && 'status' in error && 'code' in error
}
