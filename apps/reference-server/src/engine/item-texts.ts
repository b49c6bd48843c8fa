import { LRUCache } from 'lru-cache'
import type { Item } from './define.ts'
import { isSame } from './validate.ts'

const MAX_ENTRIES = 4000
const MAX_BYTES = 4 * 1024 * 1024
/** The item itself, without its text. */
const OVERHEAD_BYTES = 500

/**
 * Returns the text of an item in pages: the stored one if the item is the same, with all that was
 * computed from other rows, else what `encode` returns. `key` names everything else that the text
 * depends on.
 */
export type ReuseText = (key: string, item: Item, encode: () => string) => string

/** Stores texts of items, so that a page after a write encodes only changed items. */
export function storeItemTexts(): ReuseText {
  const entries = new LRUCache<string, { item: Item; text: string }>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ text }, key) => text.length + key.length + OVERHEAD_BYTES,
  })
  return (key, item, encode) => {
    const id = `${item.id} ${key}`
    const entry = entries.get(id)
    if (entry && isSame(entry.item, item)) return entry.text
    // Decoded from its bytes a text is flat; a concatenated one keeps its parts (decision 033).
    const text = Buffer.from(encode()).toString()
    entries.set(id, { item, text })
    return text
  }
}
