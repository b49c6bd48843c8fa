import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { inspectValue } from '../../internal/options.ts'

/** The content encodings of this package (RFC 9110 §8.4.1; `zstd` of RFC 8878). */
export type ContentEncoding = 'br' | 'zstd' | 'gzip' | 'deflate'

/** Options of zlib that an app sets itself. */
export interface CodecOptions {
  zlib?: zlib.ZlibOptions | undefined
  brotli?: zlib.BrotliOptions | undefined
}

interface Codec {
  sync(bytes: Uint8Array, options?: CodecOptions): Buffer
  async(bytes: Uint8Array, done: (error: Error | null, compressed: Buffer) => void, options?: CodecOptions): void
  encoder(options?: CodecOptions): Encoder
}

/** A compressing stream that can be flushed. */
export type Encoder = Transform & zlib.Zlib

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = zlib.constants

// Levels for bodies that are created on the request path: one level above costs far more time than
// it saves bytes.
const GZIP = { level: 6 }
const BROTLI = { params: { [BROTLI_PARAM_QUALITY]: 4 } }
const ZSTD = { params: { [ZSTD_c_compressionLevel]: 3 } }

const CODECS: Record<ContentEncoding, Codec | undefined> = {
  br: {
    sync: (bytes, options) => zlib.brotliCompressSync(bytes, options?.brotli ?? getBrotliOptions(bytes.length)),
    async: (bytes, done, options) =>
      zlib.brotliCompress(bytes, options?.brotli ?? getBrotliOptions(bytes.length), done),
    encoder: (options) => zlib.createBrotliCompress(options?.brotli ?? BROTLI),
  },
  // Since Node.js 22.15 and 23.8.
  zstd:
    typeof zlib.zstdCompressSync === 'function'
      ? {
          sync: (bytes) => zlib.zstdCompressSync(bytes, ZSTD),
          async: (bytes, done) => zlib.zstdCompress(bytes, ZSTD, done),
          encoder: () => zlib.createZstdCompress(ZSTD),
        }
      : undefined,
  gzip: {
    sync: (bytes, options) => zlib.gzipSync(bytes, options?.zlib ?? GZIP),
    async: (bytes, done, options) => zlib.gzip(bytes, options?.zlib ?? GZIP, done),
    encoder: (options) => zlib.createGzip(options?.zlib ?? GZIP),
  },
  // The name means the zlib format, not raw deflate (RFC 9110 §8.4.1.2).
  deflate: {
    sync: (bytes, options) => zlib.deflateSync(bytes, options?.zlib ?? GZIP),
    async: (bytes, done, options) => zlib.deflate(bytes, options?.zlib ?? GZIP, done),
    encoder: (options) => zlib.createDeflate(options?.zlib ?? GZIP),
  },
}

/** The encodings that this Node.js supports, in the order of preference. */
export const ENCODINGS: readonly ContentEncoding[] = (['br', 'zstd', 'gzip', 'deflate'] as const).filter(
  (name) => CODECS[name],
)

/**
 * Larger bodies are compressed on another thread; for smaller ones the handover costs more than the
 * work.
 */
export const MAX_SYNC_BYTES = 65_536

/** Returns the codec of an encoding. Throws a `TypeError` if this Node.js does not support it. */
export function getCodec(encoding: ContentEncoding): Codec {
  const codec = CODECS[encoding]
  if (codec === undefined)
    throw new TypeError(`negotiate: encoding must be one that this Node.js supports, got ${inspectValue(encoding)}`)
  return codec
}

function getBrotliOptions(size: number): zlib.BrotliOptions {
  return { params: { [BROTLI_PARAM_QUALITY]: 4, [BROTLI_PARAM_SIZE_HINT]: size } }
}
