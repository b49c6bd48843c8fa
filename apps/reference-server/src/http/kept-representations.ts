import type { PreparedRepresentation } from '@svc/negotiate/prepared'
import { LRUCache } from 'lru-cache'
import type { Changes } from '../database/connection.ts'
import type { ResponseContent } from '../engine/action.ts'
import type { Item } from '../engine/define.ts'
import type { ReuseText } from '../engine/hal.ts'
import type { RequestState } from '../engine/request-state.ts'
import { isSame } from '../engine/validate.ts'
import type { Formats } from '../formats/formats.ts'

const MAX_ENTRIES = 2000
const MAX_BYTES = 8 * 1024 * 1024
const MAX_ENTRY_BYTES = 256 * 1024
/** Headers and compressed forms, in addition to the text itself. */
const OVERHEAD_BYTES = 1500

interface Entry {
  prepared: PreparedRepresentation
  /** The changes of the database before it was read. */
  changes: Changes | undefined
  /**
   * The item that it shows, with all that was computed from other rows; `undefined`: it shows more
   * than one.
   */
  item: Item | undefined
}

/** Cached representation of a response to one request. */
export interface KeptRepresentation {
  /** Representation that earlier requests got; `undefined` if the database has changed since. */
  readonly current: PreparedRepresentation | undefined
  /**
   * Keeps what the action has returned, unless the item was not requested before. Returns what is
   * to be sent: what `prepare` returns, or what was kept if it shows the same item.
   */
  keep(content: ResponseContent | undefined, prepare: Prepare): PreparedRepresentation | undefined
}

/** Prepares a representation; `undefined`: it cannot be prepared. */
type Prepare = () => PreparedRepresentation | undefined

/**
 * Finds what is kept for a GET or HEAD; `undefined` if its response depends on more than is
 * compared.
 */
export type FindKept = (state: RequestState) => KeptRepresentation | undefined

/**
 * Caches encoded items and pages. The key contains everything that a text depends on, except the
 * database: method, target with version and query, media type, and the rights of the caller. An
 * entry is current until the database changes. An item is also current if its row is.
 */
export function keepRepresentations(formats: Pick<Formats, 'isPure'>): FindKept {
  const entries = new LRUCache<string, Entry>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ prepared }, key) => 2 * prepared.bytes + key.length + OVERHEAD_BYTES,
  })
  const isRecent = recentTexts(4 * MAX_ENTRIES)
  return (state) => {
    if (!formats.isPure(state.negotiated?.format ?? '')) return undefined
    const key = toKey(state)
    if (key === undefined) return undefined
    const { changes } = state
    const entry = entries.get(key)
    if (entry && changes !== undefined && entry.changes === changes)
      return { current: entry.prepared, keep: () => entry.prepared }
    return {
      current: undefined,
      keep(content, prepare) {
        const item = content?.kind === 'item' && !content.embedded ? content.item : undefined
        // All items of a collection are known when one is: most of them may be requested once.
        if (!entry && item && !isRecent(key)) return prepare()
        if (entry?.item && item && isSame(entry.item, item)) {
          entry.changes = changes
          return entry.prepared
        }
        const prepared = changes === undefined && !item ? undefined : prepare()
        if (prepared && prepared.bytes <= MAX_ENTRY_BYTES) entries.set(key, { prepared, changes, item })
        return prepared
      },
    }
  }
}

function toKey({ id, known, match, caller, req: { headers } }: RequestState): string | undefined {
  if (!known || !match?.action.shape) return undefined
  const isPlain =
    headers['prefer'] === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['want-repr-digest'] === undefined &&
    headers['want-content-digest'] === undefined &&
    headers['content-digest'] === undefined &&
    headers['repr-digest'] === undefined
  return isPlain ? `${known.number} ${caller?.markNumber ?? ''} ${id}` : undefined
}

const MAX_TEXTS = 4000
const MAX_TEXTS_BYTES = 4 * 1024 * 1024
/** The item itself, without its text. */
const ITEM_BYTES = 500

/** Stores texts of items, so that a page after a write encodes only changed items. */
export function storeItemTexts(): ReuseText {
  const entries = new LRUCache<string, { item: Item; text: string }>({
    max: MAX_TEXTS,
    maxSize: MAX_TEXTS_BYTES,
    sizeCalculation: ({ text }, key) => text.length + key.length + ITEM_BYTES,
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

/**
 * Returns a function that checks whether a text was one of the latest, about as many as `count`,
 * and records it. It stores hashes, so a text leaves nothing for the garbage collector. Two texts
 * with one hash count as the same.
 */
export function recentTexts(count: number): (text: string) => boolean {
  const hashes = new Int32Array(count)
  return (text) => {
    const hash = computeHash(text)
    const slot = (hash >>> 0) % count
    const isRecent = hashes[slot] === hash
    hashes[slot] = hash
    return isRecent
  }
}

function computeHash(text: string): number {
  let hash = 0
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0
  return hash
}
