import { codedCache } from './coded-cache.ts'
import { type Coding, codecOf, MAX_SYNC_BYTES } from './coding.ts'
import { digest } from './entity-tag.ts'

const cache = codedCache()

/**
 * Compresses a whole body, or takes the form that it made of the same bytes before. `done` comes in the same tick
 * unless the body is large.
 */
export function compress(
  bytes: Uint8Array,
  coding: Coding,
  hash: string | undefined,
  done: (error: Error | null, coded: Buffer) => void,
): void {
  // Not by the entity tag: two users, or two resources, may have the same version and tag for other bytes.
  const content = hash ?? digest(bytes)
  const known = cache.get(content, coding)
  if (known) return done(null, known)
  const codec = codecOf(coding)
  if (bytes.length <= MAX_SYNC_BYTES) {
    const coded = codec.sync(bytes)
    cache.set(content, coding, coded)
    return done(null, coded)
  }
  codec.async(bytes, (error, coded) => {
    if (!error) cache.set(content, coding, coded)
    done(error, coded)
  })
}
