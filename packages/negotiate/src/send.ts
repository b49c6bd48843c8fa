import { attempt } from '../../internal/guard.ts'
import type { ContentEncoding } from './coding.ts'
import { compressBody } from './compress-body.ts'
import { buildHeaders, type OutgoingRepresentation } from './representation-headers.ts'
import { formatTag, type Stem } from './representation-tag.ts'
import { acceptsIdentity, MIN_BYTES, selectEncoding } from './select-encoding.ts'

/** A whole body. */
type Content = string | Uint8Array | undefined

/** A text up to here goes out in one piece with the header section, which saves a write; beyond, copying costs more. */
const MAX_TEXT = 8192

/** Sends a whole body, compressed if the client takes that and it becomes smaller. */
export function sendContent(
  exchange: OutgoingRepresentation,
  content: Content,
  stem: Stem | undefined,
  hash: string | undefined,
): void {
  const { codable, codings, fail } = exchange
  const size = typeof content === 'string' ? Buffer.byteLength(content) : (content?.length ?? 0)
  const coding = codable ? selectEncoding(codings, size, MIN_BYTES) : undefined
  const isText = typeof content === 'string' && coding === undefined && size <= MAX_TEXT
  const bytes = typeof content === 'string' && !isText ? Buffer.from(content) : content
  if (bytes === undefined || typeof bytes === 'string' || coding === undefined)
    return finish(exchange, bytes, size, stem, 'identity')
  const send = (coded: Buffer): void => {
    if (coded.length >= size && acceptsIdentity(codings)) finish(exchange, bytes, size, stem, 'identity')
    else finish(exchange, coded, coded.length, stem, coding)
  }
  compressBody(bytes, coding, hash, (error, coded) => (error ? fail(error) : attempt(() => send(coded), fail)))
}

function finish(
  exchange: OutgoingRepresentation,
  content: Content,
  size: number,
  stem: Stem | undefined,
  coding: ContentEncoding | 'identity',
): void {
  const { req, res, status } = exchange
  const fields = buildHeaders(exchange, stem && formatTag(stem, coding), coding)
  // 204 has no length (RFC 9110 8.6); HEAD has that of GET.
  if (status !== 204 && status !== 304) fields['Content-Length'] = size
  res.writeHead(status, fields)
  res.end(req.method === 'HEAD' ? undefined : content)
}
