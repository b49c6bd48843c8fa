import {
  type Connection,
  type Id,
  parseId,
  quoted,
  type SqlValue,
  type Stored,
  type StoredRow,
  TOUCH,
} from '../database/connection.ts'
import { chain, type MaybePromise } from '../database/maybe-promise.ts'
import type { Collection, Item, ItemOf } from './define.ts'
import { type Field, type Fields, loadAsIs, storeAsIs } from './field.ts'

/** Columns of a collection, and its conversion between items and rows. */
export interface Columns {
  /** Columns that a `select` of items lists. */
  select: string
  /** Columns that are written. */
  written: readonly string[]
  /** Returns the item of a row with the columns of `select`. */
  read(row: StoredRow): Item
  write(item: Item): Stored[]
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
    written: stored.flatMap(([name, { columns }]) => Object.keys(columns).map((suffix) => name + suffix)),
    read(row) {
      const id: Id = longIds ? (parseId(String(row[0])) ?? 0) : Number(row[0])
      const item: Item = { id, revision: Number(row[1]), updatedAt: String(row[2]) }
      for (const { name, start, load } of readers) {
        const value = row[start]
        if (value !== null && value !== undefined) item[name] = load ? load(row) : value
      }
      if (showsCreation) item['createdAt'] = row[3]
      return item
    },
    write: (item) => storeFields(stored, item),
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
  const { select, read } = getSelection(collection, names)
  return chain(db.rows(`${select} ${rest}`, values), (rows) => rows.map(read) as Pick<ItemOf<F>, N>[])
}

interface FieldSelection {
  /** The statement up to its table. */
  select: string
  read(row: StoredRow): Record<string, unknown>
}

const selections = new WeakMap<Collection, Map<string, FieldSelection>>()

function getSelection(collection: Collection, names: readonly string[]): FieldSelection {
  const byNames = selections.get(collection) ?? new Map<string, FieldSelection>()
  selections.set(collection, byNames)
  const key = names.join()
  const selection = byNames.get(key) ?? compileSelection(collection, names)
  byNames.set(key, selection)
  return selection
}

function compileSelection(collection: Collection, names: readonly string[]): FieldSelection {
  const readers = toReaders(collection.fields, names)
  const selected = names.map((name) => toSelectTerm(collection, name)).join(', ')
  return {
    select: `select ${selected} from ${quoted(collection.table)}`,
    read(row) {
      const values: Record<string, unknown> = {}
      for (const { name, start, load } of readers) {
        const value = row[start]
        values[name] = value === null || value === undefined ? undefined : load ? load(row) : value
      }
      return values
    },
  }
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
  load: ((row: StoredRow) => unknown) | undefined
}

// The columns of the fields follow each other.
function toReaders(fields: Fields, names: readonly string[]): Reader[] {
  let end = 0
  return names.map((name) => {
    const { columns = { '': '' }, load = loadAsIs } = fields[name] ?? {}
    const start = end
    const next = start + Object.keys(columns).length
    end = next
    return { name, start, load: load === loadAsIs ? undefined : (row) => load(row.slice(start, next)) }
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
    else if (store === storeAsIs) stored.push(value as Stored)
    else stored.push(...store(value))
  }
  return stored
}
