import * as zlib from 'node:zlib'

type Decoder = (body: Uint8Array, options: { maxOutputLength: number }) => Buffer

// Node.js has `zstdDecompressSync` since 22.15.
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: Decoder }

const decoders: Record<string, Decoder | undefined> = {
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/**
 * Decompresses a body, so that a replay can be compressed as its own request prefers. Returns
 * `undefined` if the encoding is not supported, the body is corrupt, or it has more than
 * `maxBytes`.
 */
export function decode(body: Uint8Array, encoding: unknown, maxBytes: number): Uint8Array | undefined {
  if (encoding === undefined || encoding === 'identity' || body.length === 0) return body
  const decoder = decoders[String(encoding).toLowerCase()]
  try {
    return decoder?.(body, { maxOutputLength: maxBytes })
  } catch {
    return undefined
  }
}

/**
 * Returns the content of a request that is compared: clients that compress each attempt may send
 * other bytes each time, such as the time in gzip (RFC 1952 §2.3.1). A body that cannot be
 * decompressed is returned as is, and so is a string, which a body parser left.
 */
export function decodeContent(
  body: Uint8Array | string,
  encoding: string | undefined,
  maxBytes: number,
): Uint8Array | string {
  return typeof body === 'string' ? body : (decode(body, encoding, maxBytes) ?? body)
}
