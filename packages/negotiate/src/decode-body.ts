import { Readable } from 'node:stream'
import { parseContentEncoding } from './content-encoding.ts'
import { type DecodeLimits, decodeStream } from './decode-stream.ts'

/**
 * Decodes the whole body of a request, whatever its `Content-Encoding`; without one the bytes come back as they are.
 * Rejects with a failure: 413 when it would become larger than the limits allow (nothing beyond them is decoded),
 * 400 when it is damaged, cut, or followed by anything else, 415 for a coding that `acceptBody` would have refused.
 */
export async function decodeBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  limits: DecodeLimits,
): Promise<Uint8Array> {
  const isCoded = parseContentEncoding(contentEncoding).length > 0
  if (!isCoded && bytes.length <= limits.maxBytes) return bytes
  const chunks: Buffer[] = []
  for await (const chunk of decodeStream(Readable.from([bytes]), contentEncoding, limits)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
