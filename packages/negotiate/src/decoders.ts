import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'

/** A decoding stream that counts the bytes that belong to the encoded body. */
export type Decoder = Transform & zlib.Zlib

const MAX_WINDOW = 23 // log2 of 8 MiB (RFC 9659)
/** A decoder fills buffers of this size, regardless of how the encoded body is split. */
export const CHUNK_BYTES = 16_384
const OPTIONS = { chunkSize: CHUNK_BYTES }

/** Functions that create a decoder, by its encoding. */
export const DECODERS: ReadonlyMap<string, () => Decoder> = new Map<string, () => Decoder>([
  ['gzip', () => zlib.createGunzip(OPTIONS)],
  ['deflate', () => zlib.createInflate(OPTIONS)],
  ['br', () => zlib.createBrotliDecompress(OPTIONS)],
  ...(typeof zlib.createZstdDecompress === 'function' ? ([['zstd', createZstdDecoder]] as const) : []),
])

/** The encodings that this Node.js can decode. */
export const DECODABLE: readonly string[] = [...DECODERS.keys()]

function createZstdDecoder(): Decoder {
  return zlib.createZstdDecompress({ ...OPTIONS, params: { [zlib.constants.ZSTD_d_windowLogMax]: MAX_WINDOW } })
}
