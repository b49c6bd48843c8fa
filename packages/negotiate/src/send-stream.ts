import { pipeline, Readable } from 'node:stream'
import { attempt } from '../../internal/guard.ts'
import { type ContentEncoding, getCodec } from './codecs.ts'
import { destroyBody } from './destroy-body.ts'
import type { Body } from './representation.ts'
import { buildHeaders, type OutgoingRepresentation } from './representation-headers.ts'
import { selectEncoding } from './select-encoding.ts'
import { type ETagStem, formatTag } from './validators.ts'

/** Whether a body is a stream. */
export function isStream(body: Body): body is Readable {
  return body instanceof Readable || (typeof body === 'object' && body !== null && 'pipe' in body)
}

/**
 * Sends a stream as it arrives; a slow client slows it down. The headers wait for the first bytes,
 * also for HEAD, so that a file that cannot be opened is an error response. A later error closes
 * the connection, so that no client takes the content as complete.
 */
export function sendStream(outgoing: OutgoingRepresentation, body: Readable, stem: ETagStem | undefined): void {
  const { res, fail } = outgoing
  if (res.destroyed) return destroyBody(body)
  const stop = (): void => {
    body.off('readable', onFirst).off('end', onFirst).off('error', onError).off('close', onError)
    res.off('close', onGone)
  }
  const onFirst = (): void => {
    stop()
    attempt(() => pipe(outgoing, body, stem), onError)
  }
  const onError = (error: unknown = new Error('The body stream was closed before its first byte.')): void => {
    stop()
    destroyBody(body)
    fail(error)
  }
  // The client has left: release the file or connection of the stream.
  const onGone = (): void => {
    stop()
    destroyBody(body)
  }
  if (body.destroyed || body.readableEnded) return onError(body.errored ?? undefined)
  body.once('readable', onFirst).once('end', onFirst).once('error', onError).once('close', onError)
  res.once('close', onGone)
}

function pipe(outgoing: OutgoingRepresentation, body: Readable, stem: ETagStem | undefined): void {
  const { req, res } = outgoing
  const encoding = sendHead(outgoing, stem)
  const done = (): void => {} // on an error pipeline destroys the response
  if (req.method === 'HEAD') {
    destroyBody(body)
    res.end()
  } else if (encoding === undefined) pipeline(body, res, done)
  else pipeline(body, getCodec(encoding).encoder(), res, done)
}

function sendHead(outgoing: OutgoingRepresentation, stem: ETagStem | undefined): ContentEncoding | undefined {
  const { res, status, isCompressible, encodings, representation } = outgoing
  const encoding = isCompressible ? selectEncoding(encodings, Number.POSITIVE_INFINITY, 0) : undefined
  const name = encoding ?? 'identity'
  // The bytes of a stream are only known to match a strong ETag if the app passes one, and an
  // encoder splits them arbitrarily.
  const isWeak = stem?.weak || encoding !== undefined || !representation.etag
  const etag = stem && formatTag({ ...stem, weak: isWeak }, name)
  res.writeHead(status, buildHeaders(outgoing, etag, name, encoding === undefined))
  return encoding
}
