import { Readable } from 'node:stream'
import { assertLimits, type DecodeLimits, decodeStream } from './decode-stream.ts'
import { parseContentEncoding } from './encodings.ts'

/**
 * Decodes the whole body of a request by its `Content-Encoding`; without one the bytes are returned
 * unchanged. Rejects with an error for `next`: 413 if the decoded body exceeds the limits (nothing
 * beyond them is decoded), 400 if the body is corrupt, truncated, or followed by other bytes, and
 * 415 for an encoding that `checkBodyHeaders` rejects.
 */
export async function decodeBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  limits: DecodeLimits,
): Promise<Uint8Array> {
  assertLimits('negotiate: decodeBody', limits)
  const isEncoded = parseContentEncoding(contentEncoding).length > 0
  if (!isEncoded && bytes.length <= limits.maxBytes) return bytes
  const chunks: Buffer[] = []
  for await (const chunk of decodeStream(Readable.from([bytes]), contentEncoding, limits)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
