import { pipeline, Readable } from 'node:stream'
import { attempt } from '../../internal/guard.ts'
import { type ContentEncoding, getCodec } from './coding.ts'
import type { Body } from './representation.ts'
import { buildHeaders, type OutgoingRepresentation } from './representation-headers.ts'
import { formatTag, type Stem } from './representation-tag.ts'
import { selectEncoding } from './select-encoding.ts'

/** Whether a body comes bit by bit. */
export function isStream(body: Body): body is Readable {
  return body instanceof Readable || (typeof body === 'object' && body !== null && 'pipe' in body)
}

/**
 * Sends a stream as it comes; the client's slowness slows it down. The header section waits for the first bytes: a
 * file that cannot be opened is a failure, while an error later on cuts the answer, so that nobody takes it for whole.
 */
export function sendStream(exchange: OutgoingRepresentation, body: Readable, stem: Stem | undefined): void {
  const { req, res, fail } = exchange
  if (res.destroyed) return void body.destroy()
  if (req.method === 'HEAD') {
    body.destroy()
    sendHead(exchange, stem)
    res.end()
    return
  }
  const stop = (): void => {
    body.off('readable', onFirst).off('end', onFirst).off('error', onError).off('close', onError)
    res.off('close', onGone)
  }
  const onFirst = (): void => {
    stop()
    attempt(() => pipe(exchange, body, stem), onError)
  }
  const onError = (error: unknown = new Error('The stream of a body was closed before its first byte.')): void => {
    stop()
    body.destroy()
    fail(error)
  }
  // Nobody will read it any more: it must not keep its file or its connection open.
  const onGone = (): void => {
    stop()
    body.destroy()
  }
  if (body.destroyed || body.readableEnded) return onError(body.errored ?? undefined)
  body.once('readable', onFirst).once('end', onFirst).once('error', onError).once('close', onError)
  res.once('close', onGone)
}

function pipe(exchange: OutgoingRepresentation, body: Readable, stem: Stem | undefined): void {
  const { res } = exchange
  const coding = sendHead(exchange, stem)
  const done = (): void => {} // on an error pipeline destroys the response
  if (coding === undefined) pipeline(body, res, done)
  else pipeline(body, getCodec(coding).encoder(), res, done)
}

function sendHead(exchange: OutgoingRepresentation, stem: Stem | undefined): ContentEncoding | undefined {
  const { res, status, codable, codings, representation } = exchange
  const coding = codable ? selectEncoding(codings, Number.POSITIVE_INFINITY, 0) : undefined
  const name = coding ?? 'identity'
  // Nobody vouches for the bytes of a stream but who gives a whole tag of them, and a coder cuts them as they come.
  const isWeak = stem?.weak || coding !== undefined || !representation.etag
  res.writeHead(status, buildHeaders(exchange, stem && formatTag({ ...stem, weak: isWeak }, name), name))
  return coding
}
