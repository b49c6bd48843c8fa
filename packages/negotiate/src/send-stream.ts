import { pipeline, Readable } from 'node:stream'
import { type Coding, codecOf } from './coding.ts'
import { codingFor } from './coding-for.ts'
import type { Exchange } from './represent.ts'
import type { Body } from './representation.ts'
import { fieldsOf } from './representation-fields.ts'
import { type Stem, tagOf } from './representation-tag.ts'

/** Whether a body comes bit by bit. */
export function isStream(body: Body): body is Readable {
  return body instanceof Readable || (typeof body === 'object' && 'pipe' in body)
}

/**
 * Sends a stream as it comes; the client's slowness slows it down. The header section waits for the first bytes: a
 * file that cannot be opened is a failure, while an error later on cuts the answer, so that nobody takes it for whole.
 */
export function sendStream(exchange: Exchange, body: Readable, stem: Stem | undefined): void {
  const { req, fail } = exchange
  if (req.method === 'HEAD') {
    body.destroy()
    sendHead(exchange, stem)
    exchange.res.end()
    return
  }
  const stop = (): void => void body.off('readable', onFirst).off('end', onFirst).off('error', onError)
  const onFirst = (): void => {
    stop()
    pipe(exchange, body, stem)
  }
  const onError = (error: Error): void => {
    stop()
    fail(error)
  }
  body.once('readable', onFirst).once('end', onFirst).once('error', onError)
}

function pipe(exchange: Exchange, body: Readable, stem: Stem | undefined): void {
  const { res } = exchange
  const coding = sendHead(exchange, stem)
  const done = (): void => {} // on an error pipeline destroys the response
  if (coding === undefined) pipeline(body, res, done)
  else pipeline(body, codecOf(coding).encoder(), res, done)
}

function sendHead(exchange: Exchange, stem: Stem | undefined): Coding | undefined {
  const { res, status, codable, codings, representation } = exchange
  const coding = codable ? codingFor(codings, Number.POSITIVE_INFINITY, 0) : undefined
  const name = coding ?? 'identity'
  // Nobody vouches for the bytes of a stream but who gives a whole tag of them, and a coder cuts them as they come.
  const isWeak = stem?.weak || coding !== undefined || !representation.etag
  res.writeHead(status, fieldsOf(exchange, stem && tagOf({ ...stem, weak: isWeak }, name), name))
  return coding
}
