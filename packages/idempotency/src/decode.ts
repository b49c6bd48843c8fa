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
export function decode(body: Buffer, encoding: unknown, maxBytes: number): Buffer | undefined {
  if (encoding === undefined || encoding === 'identity' || body.length === 0) return body
  const decoder = decoders[String(encoding).toLowerCase()]
  try {
    return decoder?.(body, { maxOutputLength: maxBytes })
  } catch {
    return undefined
  }
}
