import { type ContentEncoding, getCodec, MAX_SYNC_BYTES, type Tuning } from './coding.ts'
import { compressedCache } from './compressed-cache.ts'
import { digest } from './etag.ts'

const cache = compressedCache()

/**
 * Compresses a whole body, or takes the form that it made of the same bytes before. `done` comes in the same tick
 * unless the body is large.
 */
export function compressBody(
  bytes: Uint8Array,
  coding: ContentEncoding,
  hash: string | undefined,
  done: (error: Error | null, coded: Buffer) => void,
  tuning?: Tuning,
): void {
  // Not by the entity tag: two users, or two resources, may have the same version and tag for other bytes.
  const content = hash ?? (tuning ? '' : digest(bytes))
  const cached = tuning ? undefined : cache.get(content, coding)
  if (cached) return done(null, cached)
  const keep = (coded: Buffer): void => {
    if (!tuning) cache.set(content, coding, coded)
  }
  const codec = getCodec(coding)
  if (bytes.length <= MAX_SYNC_BYTES) {
    const coded = codec.sync(bytes, tuning)
    keep(coded)
    return done(null, coded)
  }
  const finish = (error: Error | null, coded: Buffer): void => {
    if (!error) keep(coded)
    done(error, coded)
  }
  codec.async(bytes, finish, tuning)
}
