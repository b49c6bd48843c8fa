import {
  type Connection,
  type Id,
  idOf,
  quoted,
  type Row,
  type SqlValue,
  type Stored,
  TOUCH,
} from '../database/connection.ts'
import { chain, type MaybePromise } from '../database/maybe-promise.ts'
import type { Collection, Fields, Item, ItemOf } from './define.ts'

/** How the items of a collection are read from rows and written to them. */
export interface Columns {
  /** What a `select` of items lists. */
  select: string
  /** Columns that are written. */
  written: readonly string[]
  read(row: Row): Item
  write(item: Item): Stored[]
}

const STAMPS = ['revision', 'createdAt', 'updatedAt'] as const

/** Compiles the columns of a collection, once. */
export function columnsOf(collection: Collection): Columns {
  const { fields, longIds } = collection
  const entries = Object.entries(fields).filter(
    ([name, { columns }]) => name !== 'createdAt' && name !== 'updatedAt' && Object.keys(columns).length > 0,
  )
  const readers = entries.map(([name]) => ({ name, read: readerOf(fields, name) }))
  const stored = entries.filter(([, { select }]) => select === undefined)
  const select = (names: readonly string[]): string => names.map((name) => selectOf(collection, name)).join(', ')
  const idIn = ({ id }: Row): Id => (longIds ? (idOf(String(id)) ?? 0) : Number(id))
  const showsCreation = 'createdAt' in fields
  return {
    select: select(['id', ...STAMPS, ...entries.map(([name]) => name)]),
    written: stored.flatMap(([name, { columns }]) => Object.keys(columns).map((suffix) => name + suffix)),
    read(row) {
      const item: Item = { id: idIn(row), revision: Number(row['revision']), updatedAt: String(row['updatedAt']) }
      for (const { name, read } of readers) {
        const value = read(row)
        if (value !== undefined) item[name] = value
      }
      if (showsCreation) item['createdAt'] = row['createdAt']
      return item
    },
    write: (item) => stored.flatMap(([name]) => storedAs(fields, name, item[name])),
  }
}

/** Returns an id as its column stores it. */
export function columnFor({ longIds }: Pick<Collection, 'longIds'>, id: Id): Stored {
  return longIds ? BigInt(id) : Number(id)
}

/** Names of fields that have columns: every stored item has those of `ItemOf`. */
type FieldName<F extends Fields> = (keyof F | 'id' | 'revision' | 'updatedAt') & string

/**
 * Reads fields of stored items, typed by their declaration. `rest` is the end of the statement, from `where` on. Fields
 * without a column cannot be read.
 */
export function selectFields<F extends Fields, const N extends FieldName<F>>(
  db: Connection,
  collection: Collection<F>,
  names: readonly N[],
  rest: string,
  values: readonly SqlValue[],
): MaybePromise<Pick<ItemOf<F>, N>[]> {
  const readers = names.map((name) => ({ name, read: readerOf(collection.fields, name) }))
  const selected = names.map((name) => selectOf(collection, name)).join(', ')
  const rows = db.all(`select ${selected} from ${quoted(collection.table)} ${rest}`, values)
  return chain(rows, (list) =>
    list.map((row) => Object.fromEntries(readers.map(({ name, read }) => [name, read(row)])) as Pick<ItemOf<F>, N>),
  )
}

/** Changes fields of stored items, which counts as a change of each. Returns the number of items. */
export function updateFields<F extends Fields>(
  db: Connection,
  { table, fields }: Collection<F>,
  changes: Partial<ItemOf<F>>,
  now: string,
  where: string,
  values: readonly SqlValue[],
): MaybePromise<number> {
  const entries = Object.entries(changes)
  const columns = entries.flatMap(([name]) => Object.keys(fields[name]?.columns ?? {}).map((suffix) => name + suffix))
  const assignments = [...columns.map((column) => `${quoted(column)} = ?`), TOUCH]
  const stored = entries.flatMap(([name, value]) => storedAs(fields, name, value))
  return db.run(`update ${quoted(table)} set ${assignments.join(', ')} where ${where}`, [...stored, now, ...values])
}

// 64-bit integers are selected as text: a number would not hold them.
function selectOf({ fields, longIds }: Collection, name: string): string {
  const field = fields[name]
  if (!field) return name === 'id' && longIds ? 'cast("id" as text) as "id"' : quoted(name)
  if (field.select !== undefined) return `(${field.select}) as ${quoted(name)}`
  return Object.entries(field.columns)
    .map(([suffix, type]) => [quoted(name + suffix), type])
    .map(([column, type]) => (type === 'long' ? `cast(${column} as text) as ${column}` : column))
    .join(', ')
}

function readerOf(fields: Fields, name: string): (row: Row) => unknown {
  const { columns: types = { '': '' }, load = ([value]: readonly Stored[]): unknown => value } = fields[name] ?? {}
  const columns = Object.keys(types).map((suffix) => name + suffix)
  const [first = ''] = columns
  return (row) => {
    const value = row[first]
    if (value === null || value === undefined) return undefined
    return load(columns.length === 1 ? [value] : columns.map((column) => row[column] ?? null))
  }
}

function storedAs(fields: Fields, name: string, value: unknown): readonly Stored[] {
  const { columns = {}, store } = fields[name] ?? {}
  if (value === undefined || value === null || !store) return Object.keys(columns).map(() => null)
  return store(value)
}
