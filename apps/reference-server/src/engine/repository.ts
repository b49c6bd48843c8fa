import { LRUCache } from 'lru-cache'
import {
  type Changes,
  type Connection,
  type Dialect,
  type Id,
  marks,
  quoted,
  type Stored,
  type StoredRow,
  TOUCH,
} from '../database/connection.ts'
import { chain, type MaybePromise } from '../database/maybe-promise.ts'
import { columnFor, listColumns } from './columns.ts'
import { type AnyCondition, toWhere } from './conditions.ts'
import type { Collection, Item } from './define.ts'

export interface Sorting {
  column: string
  descending: boolean
  /** Field that the column belongs to, if it has several. @defaultValue the column */
  field?: string
  /** Index of the column in its field. @defaultValue 0 */
  part?: number
}

export interface Selection {
  conditions: readonly AnyCondition[]
  sort: readonly Sorting[]
  limit: number
  offset: number
}

/**
 * Reads and writes the items of one collection. Every method takes the connection or transaction
 * that it uses; on SQLite it returns synchronously under the conditions of `Connection`.
 */
export interface Repository {
  readItem(db: Connection, id: Id): MaybePromise<Item | undefined>
  /** As `readItem`, but no one else can change the item until the transaction ends. */
  lockItem(db: Connection, id: Id): MaybePromise<Item | undefined>
  /** Reads items by their ids, in no order. */
  readItems(db: Connection, ids: readonly Id[]): MaybePromise<Item[]>
  readPage(db: Connection, selection: Selection): MaybePromise<Item[]>
  count(db: Connection, conditions: readonly AnyCondition[]): MaybePromise<number>
  /** Returns a row if the item exists that a field refers to with this value. */
  readReferenced(db: Connection, field: string, value: unknown): MaybePromise<readonly StoredRow[]>
  /**
   * Loads fields that have no column. The methods above do so; the methods below return items
   * without them.
   */
  load(db: Connection, items: Item[]): MaybePromise<Item[]>
  /**
   * Inserts an item and returns it as it is stored. The database assigns the id, unless there is
   * one.
   */
  insert(db: Connection, item: Item, now: string): MaybePromise<Item>
  /**
   * Overwrites the item of this revision and returns it as it is stored; `undefined` if another
   * change was faster.
   */
  update(db: Connection, item: Item, now: string): MaybePromise<Item | undefined>
  /** Deletes the item of this revision; `false` if another change was faster. */
  remove(db: Connection, item: Item): MaybePromise<boolean>
}

/** Creates the repository of a collection, with its statements. */
export function createRepository(collection: Collection, dialect: Dialect): Repository {
  const { hooks } = collection
  const columns = listColumns(collection)
  const table = quoted(collection.table)
  const from = `select ${columns.select} from ${table}`
  const key = (id: Id): number | bigint => columnFor(collection, id)
  const findOne = `${from} where "id" = ?`
  // The embedded database has one writer at a time.
  const lockOne = dialect === 'sqlite' ? findOne : `${findOne} for update`
  const names = [...columns.written, 'revision', 'createdAt', 'updatedAt'].map(quoted)
  const returning = `returning ${columns.select}`
  const insertOne = `insert into ${table} (${names.join(', ')}) values (${marks(names)}) ${returning}`
  const insertWithId = `insert into ${table} ("id", ${names.join(', ')}) values (?, ${marks(names)}) ${returning}`
  const assignments = [...columns.written.map((name) => `${quoted(name)} = ?`), TOUCH]
  const updateOne = `update ${table} set ${assignments.join(', ')} where "id" = ? and "revision" = ? ${returning}`
  const findReferenced = new Map(
    Object.entries(collection.references).map(([field, other]) => [
      field,
      `select 1 from ${quoted(other)} where "id" = ?`,
    ]),
  )
  const removeOne = `delete from ${table} where "id" = ? and "revision" = ?`

  const load = (db: Connection, items: Item[]): MaybePromise<Item[]> =>
    hooks.load && items.length > 0 ? chain(hooks.load(db, items), () => items) : items
  const selectItems = (db: Connection, sql: string, values: readonly Stored[]): MaybePromise<Item[]> =>
    chain(db.rows(sql, values), (rows) => load(db, rows.map(columns.read)))
  const loadRow = (db: Connection, row: StoredRow | undefined): MaybePromise<Item | undefined> =>
    row && chain(load(db, [columns.read(row)]), ([item]) => item)
  const returned = (db: Connection, sql: string, values: readonly Stored[]): MaybePromise<Item | undefined> =>
    chain(db.rows(sql, values), ([row]) => row && columns.read(row))
  return {
    readItem: (db, id) => chain(db.find(findOne, key(id)), (row) => loadRow(db, row)),
    lockItem: (db, id) => chain(db.rows(lockOne, [key(id)]), ([row]) => loadRow(db, row)),
    readItems: (db, ids) =>
      ids.length === 0 ? [] : selectItems(db, `${from} where "id" in (${marks(ids)})`, ids.map(key)),
    readPage(db, { conditions, sort, limit, offset }) {
      const values: Stored[] = []
      const where = toWhere(conditions, dialect, values)
      const sql = `${from}${where} order by ${toOrderBy(sort, table)} limit ? offset ?`
      return selectItems(db, sql, [...values, limit, offset])
    },
    count(db, conditions) {
      const values: Stored[] = []
      const where = toWhere(conditions, dialect, values)
      const row = db.get<{ count: number }>(`select count(*) as "count" from ${table}${where}`, values)
      return chain(row, (counted) => counted?.count ?? 0)
    },
    readReferenced(db, field, value) {
      const [id = null] = collection.fields[field]?.store(value) ?? []
      return db.rows(findReferenced.get(field) ?? '', [id])
    },
    load,
    insert(db, item, now) {
      const values = [...columns.write(item), 1, now, now]
      const inserted =
        item.id === 0 ? returned(db, insertOne, values) : returned(db, insertWithId, [key(item.id), ...values])
      return chain(inserted, (stored) => {
        if (!stored) throw new Error(`nothing was inserted into ${table}`)
        return stored
      })
    },
    update: (db, item, now) => returned(db, updateOne, [...columns.write(item), now, key(item.id), item.revision]),
    remove: (db, item) => chain(db.run(removeOne, [key(item.id), item.revision]), (count) => count === 1),
  }
}

// Absent values come first when ascending; the id makes the order total. Columns are named with
// their table: a 64-bit number is selected as text under its own name, and would be sorted as text.
function toOrderBy(sort: readonly Sorting[], table: string): string {
  const parts = sort.map(({ column, descending }) =>
    descending ? `${table}.${quoted(column)} desc nulls last` : `${table}.${quoted(column)} asc nulls first`,
  )
  return sort.some(({ column }) => column === 'id') ? parts.join(', ') : [...parts, `${table}."id" asc`].join(', ')
}

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
