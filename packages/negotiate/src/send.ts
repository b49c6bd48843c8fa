import { attempt } from './attempt.ts'
import type { Coding } from './coding.ts'
import { codingFor, MIN_BYTES, takesIdentity } from './coding-for.ts'
import { compress } from './compressed.ts'
import type { Exchange } from './represent.ts'
import { fieldsOf } from './representation-fields.ts'
import { type Stem, tagOf } from './representation-tag.ts'

/** Sends a whole body, compressed if the client takes that and it becomes smaller. */
export function sendBytes(
  exchange: Exchange,
  bytes: Uint8Array | undefined,
  stem: Stem | undefined,
  hash: string | undefined,
): void {
  const { codable, codings } = exchange
  const coding = codable ? codingFor(codings, bytes?.length ?? 0, MIN_BYTES) : undefined
  if (bytes === undefined || coding === undefined) return finish(exchange, bytes, stem, 'identity')
  const send = (coded: Buffer): void => {
    if (coded.length >= bytes.length && takesIdentity(codings)) finish(exchange, bytes, stem, 'identity')
    else finish(exchange, coded, stem, coding)
  }
  compress(bytes, coding, hash, (error, coded) =>
    error ? exchange.fail(error) : attempt(() => send(coded), exchange.fail),
  )
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
