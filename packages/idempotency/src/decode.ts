import * as zlib from 'node:zlib'

type Decoder = (body: Uint8Array, options: { maxOutputLength: number }) => Buffer

// `zstdDecompressSync` came with Node 22.15.
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: Decoder }

const decoders: Record<string, Decoder | undefined> = {
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/**
 * The bytes of a body before its content coding, so that a replay can be coded as its own request asks.
 * `undefined` where they cannot be had: a coding that is not known here, damaged, or more than `maxBytes` inside.
 */
export function decode(body: Buffer, coding: unknown, maxBytes: number): Buffer | undefined {
  if (coding === undefined || coding === 'identity' || body.length === 0) return body
  const decoder = decoders[String(coding).toLowerCase()]
  try {
    return decoder?.(body, { maxOutputLength: maxBytes })
  } catch {
    return undefined
  }
}
