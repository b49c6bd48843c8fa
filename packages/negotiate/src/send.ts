import { pipeline, Readable } from 'node:stream'
import { CODINGS, type Coding, codecOf } from './coding.ts'
import { compress } from './compressed.ts'
import type { Exchange } from './represent.ts'
import type { Body } from './representation.ts'
import { fieldsOf } from './representation-fields.ts'
import { type Stem, tagOf } from './representation-tag.ts'

const MIN_BYTES = 1024

/** Whether a body comes bit by bit. */
export function isStream(body: Body): body is Readable {
  return body instanceof Readable || (typeof body === 'object' && 'pipe' in body)
}

/** Sends a whole body, compressed if the client takes that and it becomes smaller. */
export function sendBytes(
  exchange: Exchange,
  bytes: Uint8Array | undefined,
  stem: Stem | undefined,
  hash: string | undefined,
): void {
  const coding = codingFor(exchange, bytes?.length ?? 0)
  if (bytes === undefined || coding === undefined) return finish(exchange, bytes, stem, 'identity')
  compress(bytes, coding, hash, (error, coded) => {
    if (error) exchange.fail(error)
    else if (coded.length >= bytes.length && takesIdentity(exchange)) finish(exchange, bytes, stem, 'identity')
    else finish(exchange, coded, stem, coding)
  })
}

function finish(
  exchange: Exchange,
  bytes: Uint8Array | undefined,
  stem: Stem | undefined,
  coding: Coding | 'identity',
): void {
  const { req, res, status } = exchange
  const fields = fieldsOf(exchange, stem && tagOf(stem, coding), coding)
  // 204 has no length (RFC 9110 8.6); HEAD has that of GET.
  if (status !== 204 && status !== 304) fields['Content-Length'] = bytes?.length ?? 0
  res.writeHead(status, fields)
  res.end(req.method === 'HEAD' ? undefined : bytes)
}

/** Sends a stream as it comes; the client's slowness slows it down, and its error cuts the answer. */
export function sendStream(exchange: Exchange, body: Readable, stem: Stem | undefined): void {
  const { req, res, status } = exchange
  const coding = codingFor(exchange, Number.POSITIVE_INFINITY)
  res.writeHead(status, fieldsOf(exchange, stem && tagOf(stem, coding ?? 'identity'), coding ?? 'identity'))
  if (req.method === 'HEAD') {
    body.destroy()
    res.end()
    return
  }
  const done = (): void => {} // on an error pipeline destroys the response: the client sees that it is cut
  if (coding === undefined) pipeline(body, res, done)
  else pipeline(body, codecOf(coding).encoder(), res, done)
}

/** The coding to be tried: none for what is small, unless the client refuses the body as it is. */
function codingFor(exchange: Exchange, size: number): Coding | undefined {
  const { codable, codings } = exchange
  const best = codings.best?.value
  if (!codable || best === undefined || best === 'identity') return undefined
  if (size < MIN_BYTES && takesIdentity(exchange)) return undefined
  return CODINGS.find((coding) => coding === best)
}

function takesIdentity({ codings }: Exchange): boolean {
  return (codings.all.at(-1)?.q ?? 1) > 0
}
