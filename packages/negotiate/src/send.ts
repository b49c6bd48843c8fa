import { CODINGS, type Coding } from './coding.ts'
import { compress } from './compressed.ts'
import type { Exchange } from './represent.ts'
import { fieldsOf } from './representation-fields.ts'
import { type Stem, tagOf } from './representation-tag.ts'

const MIN_BYTES = 1024

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

/** The coding to be tried: none for what is small, unless the client refuses the body as it is. */
export function codingFor(exchange: Exchange, size: number): Coding | undefined {
  const { codable, codings } = exchange
  const best = codings.best?.value
  if (!codable || best === undefined || best === 'identity') return undefined
  if (size < MIN_BYTES && takesIdentity(exchange)) return undefined
  return CODINGS.find((coding) => coding === best)
}

function takesIdentity({ codings }: Exchange): boolean {
  return (codings.all.at(-1)?.q ?? 1) > 0
}
