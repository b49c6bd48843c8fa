import { LRUCache } from 'lru-cache'
import type { Changes, Connection, Id } from '../database/connection.ts'
import { chain, type MaybePromise } from '../database/maybe-promise.ts'
import type { Item } from './define.ts'
import type { Repository } from './repository.ts'

const MAX_ITEMS = 1000

/**
 * Reads an item, or returns what was read while the changes of the database were the same;
 * `changes` is `undefined` if they are not known. Callers share the item and must not change it.
 */
type ReadKept = (db: Connection, id: Id, changes: Changes | undefined) => MaybePromise<Item | undefined>

/** Keeps the items that were read last. */
export function keepItems({ readItem }: Pick<Repository, 'readItem'>): ReadKept {
  const items = new LRUCache<Id, { item: Item; changes: Changes }>({ max: MAX_ITEMS })
  return (db, id, changes) => {
    if (changes === undefined) return readItem(db, id)
    const entry = items.get(id)
    if (entry?.changes === changes) return entry.item
    return chain(readItem(db, id), (item) => {
      if (item) items.set(id, { item, changes })
      return item
    })
  }
}
