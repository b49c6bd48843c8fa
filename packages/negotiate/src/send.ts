import { attempt } from '../../internal/guard.ts'
import type { ContentEncoding } from './codecs.ts'
import { compressBody } from './compress-body.ts'
import { buildHeaders, type OutgoingRepresentation } from './representation-headers.ts'
import { type ETagStem, formatTag } from './representation-tag.ts'
import { acceptsIdentity, MIN_BYTES, selectEncoding } from './select-encoding.ts'

/** A complete body. */
type Content = string | Uint8Array | undefined

/**
 * Up to this size a string is sent in one write with the headers; a larger one costs more to copy.
 */
const MAX_TEXT_BYTES = 8192

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
