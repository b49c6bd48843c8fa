import type { ContentEncoding } from './coding.ts'

const MAX_ENTRIES = 256
const MAX_BYTES = 16 * 1024 * 1024
const MAX_ENTRY_BYTES = 512 * 1024

/** Compressed forms by the hash of what was compressed. The least recently used one makes room. */
export interface CompressedCache {
  get(content: string, coding: ContentEncoding): Buffer | undefined
  set(content: string, coding: ContentEncoding, coded: Buffer): void
}

/** A cache of at most 256 forms and 16 MiB, none of them larger than 512 KiB. */
export function compressedCache(): CompressedCache {
  const forms = new Map<string, Buffer>()
  let bytes = 0
  const drop = (key: string, form: Buffer): void => {
    forms.delete(key)
    bytes -= form.length
  }
  return {
    get(content, coding) {
      const key = coding + content
      const form = forms.get(key)
      if (form === undefined) return undefined
      forms.delete(key)
      forms.set(key, form)
      return form
    },
    set(content, coding, coded) {
      const key = coding + content
      if (coded.length > MAX_ENTRY_BYTES || forms.has(key)) return
      forms.set(key, coded)
      bytes += coded.length
      for (const [oldest, form] of forms) {
        if (forms.size <= MAX_ENTRIES && bytes <= MAX_BYTES) break
        drop(oldest, form)
      }
    },
  }
}
