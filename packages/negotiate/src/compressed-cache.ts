import type { ContentEncoding } from './codecs.ts'

const MAX_ENTRIES = 256
const MAX_BYTES = 16 * 1024 * 1024
const MAX_ENTRY_BYTES = 512 * 1024

/** Compressed bodies by the hash of the body. The least recently used one is evicted. */
export interface CompressedCache {
  get(content: string, encoding: ContentEncoding): Buffer | undefined
  set(content: string, encoding: ContentEncoding, compressed: Buffer): void
}

/** Creates a cache of at most 256 bodies and 16 MiB, each at most 512 KiB. */
export function compressedCache(): CompressedCache {
  const bodies = new Map<string, Buffer>()
  let bytes = 0
  const drop = (key: string, body: Buffer): void => {
    bodies.delete(key)
    bytes -= body.length
  }
  return {
    get(content, encoding) {
      const key = encoding + content
      const body = bodies.get(key)
      if (body === undefined) return undefined
      bodies.delete(key)
      bodies.set(key, body)
      return body
    },
    set(content, encoding, compressed) {
      const key = encoding + content
      if (compressed.length > MAX_ENTRY_BYTES || bodies.has(key)) return
      bodies.set(key, compressed)
      bytes += compressed.length
      for (const [oldest, body] of bodies) {
        if (bodies.size <= MAX_ENTRIES && bytes <= MAX_BYTES) break
        drop(oldest, body)
      }
    },
  }
}
