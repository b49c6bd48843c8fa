import { type CodecOptions, type ContentEncoding, getCodec, MAX_SYNC_BYTES } from './codecs.ts'
import { compressedCache } from './compressed-cache.ts'
import { digest } from './validators.ts'

const cache = compressedCache()

/**
 * Compresses a whole body, or returns the cached result for the same bytes. `done` is called in the
 * same tick unless the body is large.
 */
export function compressBody(
  bytes: Uint8Array,
  encoding: ContentEncoding,
  hash: string | undefined,
  done: (error: Error | null, compressed: Buffer) => void,
  options?: CodecOptions,
): void {
  // Not by the ETag: two users or two resources may have the same version and ETag for different
  // bytes.
  const content = hash ?? (options ? '' : digest(bytes))
  const cached = options ? undefined : cache.get(content, encoding)
  if (cached) return done(null, cached)
  const store = (compressed: Buffer): void => {
    if (!options) cache.set(content, encoding, compressed)
  }
  const codec = getCodec(encoding)
  if (bytes.length <= MAX_SYNC_BYTES) {
    const compressed = codec.sync(bytes, options)
    store(compressed)
    return done(null, compressed)
  }
  const finish = (error: Error | null, compressed: Buffer): void => {
    if (!error) store(compressed)
    done(error, compressed)
  }
  codec.async(bytes, finish, options)
}
