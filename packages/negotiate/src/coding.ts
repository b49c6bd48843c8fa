import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'

/** The content codings that can be made and read here (RFC 9110 8.4.1; `zstd` RFC 8878). */
export type ContentEncoding = 'br' | 'zstd' | 'gzip' | 'deflate'

/** Settings of zlib that an app chooses itself. */
export interface Tuning {
  zlib?: zlib.ZlibOptions | undefined
  brotli?: zlib.BrotliOptions | undefined
}

interface Codec {
  sync(bytes: Uint8Array, tuning?: Tuning): Buffer
  async(bytes: Uint8Array, done: (error: Error | null, coded: Buffer) => void, tuning?: Tuning): void
  encoder(tuning?: Tuning): Encoder
}

/** A compressing stream, which can be told to hand out what it holds back. */
export type Encoder = Transform & zlib.Zlib

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = zlib.constants

// Levels for bodies made on the request path: one above costs far more time than it saves bytes.
const GZIP = { level: 6 }
const BROTLI = { params: { [BROTLI_PARAM_QUALITY]: 4 } }
const ZSTD = { params: { [ZSTD_c_compressionLevel]: 3 } }

const CODECS: Record<ContentEncoding, Codec | undefined> = {
  br: {
    sync: (bytes, tuning) => zlib.brotliCompressSync(bytes, tuning?.brotli ?? brotliFor(bytes.length)),
    async: (bytes, done, tuning) => zlib.brotliCompress(bytes, tuning?.brotli ?? brotliFor(bytes.length), done),
    encoder: (tuning) => zlib.createBrotliCompress(tuning?.brotli ?? BROTLI),
  },
  // Node 22.15 and 23.8 brought it; 20 has none.
  zstd:
    typeof zlib.zstdCompressSync === 'function'
      ? {
          sync: (bytes) => zlib.zstdCompressSync(bytes, ZSTD),
          async: (bytes, done) => zlib.zstdCompress(bytes, ZSTD, done),
          encoder: () => zlib.createZstdCompress(ZSTD),
        }
      : undefined,
  gzip: {
    sync: (bytes, tuning) => zlib.gzipSync(bytes, tuning?.zlib ?? GZIP),
    async: (bytes, done, tuning) => zlib.gzip(bytes, tuning?.zlib ?? GZIP, done),
    encoder: (tuning) => zlib.createGzip(tuning?.zlib ?? GZIP),
  },
  // The name stands for the zlib format, not for bare deflate (RFC 9110 8.4.1.2).
  deflate: {
    sync: (bytes, tuning) => zlib.deflateSync(bytes, tuning?.zlib ?? GZIP),
    async: (bytes, done, tuning) => zlib.deflate(bytes, tuning?.zlib ?? GZIP, done),
    encoder: (tuning) => zlib.createDeflate(tuning?.zlib ?? GZIP),
  },
}

/** The codings that this Node has, in the order in which they are preferred. */
export const ENCODINGS: readonly ContentEncoding[] = (['br', 'zstd', 'gzip', 'deflate'] as const).filter(
  (name) => CODECS[name],
)

/** Above this many bytes a body is compressed on another thread: below, the way there costs more than the work. */
export const MAX_SYNC_BYTES = 65_536

export function getCodec(coding: ContentEncoding): Codec {
  const codec = CODECS[coding]
  if (codec === undefined) throw new TypeError(`negotiate: this Node has no ${coding}`)
  return codec
}

function brotliFor(size: number): zlib.BrotliOptions {
  return { params: { [BROTLI_PARAM_QUALITY]: 4, [BROTLI_PARAM_SIZE_HINT]: size } }
}
