import {
  type Connection,
  type Dialect,
  type Id,
  marks,
  parseId,
  quoted,
  type SqlValue,
  type Stored,
  type StoredRow,
  TOUCH,
} from '../database/connection.ts'
import { chain, isPromise, type MaybePromise } from '../database/maybe-promise.ts'
import { type AnyCondition, toWhere } from './conditions.ts'
import type { Collection, Item, ItemOf } from './define.ts'
import { type Field, type Fields, loadAsIs, storeAsIs } from './field.ts'

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
   * Inserts an item in a transaction, and returns it as it is stored. The database assigns the id,
   * unless there is one.
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
  // The embedded database has one writer at a time. This lock of PostgreSQL does not hold up the
  // foreign keys of other transactions that refer to the item.
  const lockOne = dialect === 'sqlite' ? findOne : `${findOne} for no key update`
  const names = [...columns.written, 'revision', 'createdAt', 'updatedAt'].map(quoted)
  // SQLite copies each page that a statement with `returning` changes: to read the row afterwards
  // costs less. PostgreSQL would be asked twice.
  const returning = dialect === 'sqlite' ? '' : ` returning ${columns.select}`
  const insertOne = `insert into ${table} (${names.join(', ')}) values (${marks(names)})${returning}`
  const insertWithId = `insert into ${table} ("id", ${names.join(', ')}) values (?, ${marks(names)})${returning}`
  const findInserted = `${from} where "id" = last_insert_rowid()`
  const assignments = [...columns.written.map((name) => `${quoted(name)} = ?`), TOUCH]
  const updateOne = `update ${table} set ${assignments.join(', ')} where "id" = ? and "revision" = ?${returning}`
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
  const toStored = ([row]: readonly StoredRow[]): Item => {
    if (!row) throw new Error(`nothing was inserted into ${table}`)
    return columns.read(row)
  }
  const read = ([row]: readonly StoredRow[]): Item | undefined => row && columns.read(row)
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
      const values = [...storeFields(columns.stored, item), 1, now, now]
      const id = item.id === 0 ? undefined : key(item.id)
      const rows = id === undefined ? db.rows(insertOne, values) : db.rows(insertWithId, [id, ...values])
      // A transaction of SQLite is synchronous.
      if (isPromise(rows)) return rows.then(toStored)
      const inserted = id === undefined ? db.rows(findInserted) : db.rows(findOne, [id])
      return isPromise(inserted) ? inserted.then(toStored) : toStored(inserted)
    },
    update(db, item, now) {
      const id = key(item.id)
      const values = [...storeFields(columns.stored, item), now, id, item.revision]
      if (dialect === 'postgres') return chain(db.rows(updateOne, values), read)
      return chain(db.run(updateOne, values), (count) =>
        count === 0 ? undefined : chain(db.rows(findOne, [id]), read),
      )
    },
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

/** Columns of a collection, and its conversion between items and rows. */
export interface Columns {
  /** Columns that a `select` of items lists. */
  select: string
  /** Columns that are written. */
  written: readonly string[]
  /** The fields of these columns. */
  stored: readonly (readonly [name: string, field: Field])[]
  /** Returns the item of a row with the columns of `select`. */
  read(row: StoredRow): Item
}

const SERVER_COLUMNS = ['id', 'revision', 'updatedAt', 'createdAt'] as const

/** Compiles the columns of a collection, once. */
export function listColumns(collection: Collection): Columns {
  const { fields, longIds } = collection
  const entries = Object.entries(fields).filter(
    ([name, { columns }]) => name !== 'createdAt' && name !== 'updatedAt' && Object.keys(columns).length > 0,
  )
  const readers = toReaders(fields, [...SERVER_COLUMNS, ...entries.map(([name]) => name)]).slice(SERVER_COLUMNS.length)
  const stored = entries.filter(([, { select }]) => select === undefined)
  const select = (names: readonly string[]): string => names.map((name) => toSelectTerm(collection, name)).join(', ')
  const showsCreation = 'createdAt' in fields
  return {
    select: select([...SERVER_COLUMNS, ...entries.map(([name]) => name)]),
    stored,
    written: stored.flatMap(([name, { columns }]) => Object.keys(columns).map((suffix) => name + suffix)),
    read(row) {
      const id: Id = longIds ? (parseId(String(row[0])) ?? 0) : Number(row[0])
      const item: Item = { id, revision: Number(row[1]), updatedAt: String(row[2]) }
      for (const { name, start, load } of readers) {
        const value = row[start]
        if (value !== null && value !== undefined) item[name] = load ? load(value, row[start + 1] ?? null) : value
      }
      if (showsCreation) item['createdAt'] = row[3]
      return item
    },
  }
}

/** Returns an id as its column stores it. */
export function columnFor({ longIds }: Pick<Collection, 'longIds'>, id: Id): number | bigint {
  return longIds ? BigInt(id) : Number(id)
}

/** Names of fields that have columns: every stored item has those of `ItemOf`. */
type FieldName<F extends Fields> = (keyof F | 'id' | 'revision' | 'updatedAt') & string

/**
 * Reads fields of stored items, typed by their declaration. `rest` is the end of the statement,
 * from `where` on. Fields without a column cannot be read.
 */
export function selectFields<F extends Fields, const N extends FieldName<F>>(
  db: Connection,
  collection: Collection<F>,
  names: readonly N[],
  rest: string,
  values: readonly SqlValue[],
): MaybePromise<Pick<ItemOf<F>, N>[]> {
  const { select, read } = selections.get(collection)?.get(names.join()) ?? compileSelection(collection, names)
  return chain(db.rows(`${select} ${rest}`, values), (rows) => rows.map(read) as Pick<ItemOf<F>, N>[])
}

interface FieldSelection {
  /** The statement up to its table. */
  select: string
  read(row: StoredRow): Record<string, unknown>
}

const selections = new WeakMap<Collection, Map<string, FieldSelection>>()

function compileSelection(collection: Collection, names: readonly string[]): FieldSelection {
  const readers = toReaders(collection.fields, names)
  const selected = names.map((name) => toSelectTerm(collection, name)).join(', ')
  const selection: FieldSelection = {
    select: `select ${selected} from ${quoted(collection.table)}`,
    read(row) {
      const values: Record<string, unknown> = {}
      for (const { name, start, load } of readers) {
        const value = row[start]
        if (value === null || value === undefined) values[name] = undefined
        else values[name] = load ? load(value, row[start + 1] ?? null) : value
      }
      return values
    },
  }
  const ofCollection = selections.get(collection)
  if (ofCollection) ofCollection.set(names.join(), selection)
  else selections.set(collection, new Map([[names.join(), selection]]))
  return selection
}

/** Changes fields of stored items, which changes each of them. Returns the number of items. */
export function updateFields<F extends Fields>(
  db: Connection,
  { table, fields }: Collection<F>,
  changes: Partial<ItemOf<F>>,
  now: string,
  where: string,
  values: readonly SqlValue[],
): MaybePromise<number> {
  const changed = Object.keys(changes).flatMap((name) => (fields[name] ? [[name, fields[name]] as const] : []))
  const columns = changed.flatMap(([name, field]) => Object.keys(field.columns).map((suffix) => name + suffix))
  const assignments = [...columns.map((column) => `${quoted(column)} = ?`), TOUCH]
  const stored = storeFields(changed, changes)
  return db.run(`update ${quoted(table)} set ${assignments.join(', ')} where ${where}`, [...stored, now, ...values])
}

// 64-bit integers are selected as text: a number would not hold them.
function toSelectTerm({ fields, longIds }: Collection, name: string): string {
  const field = fields[name]
  if (!field) return name === 'id' && longIds ? 'cast("id" as text) as "id"' : quoted(name)
  if (field.select !== undefined) return `(${field.select}) as ${quoted(name)}`
  return Object.entries(field.columns)
    .map(([suffix, type]) => [quoted(name + suffix), type])
    .map(([column, type]) => (type === 'long' ? `cast(${column} as text) as ${column}` : column))
    .join(', ')
}

/** Reads a field from its columns. */
interface Reader {
  name: string
  /** Position of its first column: without a value there, the field has none. */
  start: number
  /** Converts the values of its columns; missing if the first one is the value of the field. */
  load: Field['load'] | undefined
}

// The columns of the fields follow each other.
function toReaders(fields: Fields, names: readonly string[]): Reader[] {
  let end = 0
  return names.map((name) => {
    const { columns = { '': '' }, load = loadAsIs } = fields[name] ?? {}
    const start = end
    end += Object.keys(columns).length
    return { name, start, load: load === loadAsIs ? undefined : load }
  })
}

function storeFields(
  fields: readonly (readonly [name: string, field: Field])[],
  values: Readonly<Record<string, unknown>>,
): Stored[] {
  const stored: Stored[] = []
  for (const [name, { columns, store }] of fields) {
    const value = values[name]
    if (value === undefined || value === null) for (const _ in columns) stored.push(null)
    else if (store === storeAsIs && (typeof value === 'string' || typeof value === 'number')) stored.push(value)
    else stored.push(...store(value))
  }
  return stored
}
