import {
  type Connection,
  type Id,
  parseId,
  quoted,
  type Row,
  type SqlValue,
  type Stored,
  TOUCH,
} from '../database/connection.ts'
import { chain, type MaybePromise } from '../database/maybe-promise.ts'
import type { Collection, Fields, Item, ItemOf } from './define.ts'
import type { Field } from './fields.ts'

/** Columns of a collection, and its conversion between items and rows. */
export interface Columns {
  /** Columns that a `select` of items lists. */
  select: string
  /** Columns that are written. */
  written: readonly string[]
  read(row: Row): Item
  write(item: Item): Stored[]
}

const STAMPS = ['revision', 'createdAt', 'updatedAt'] as const

/** Compiles the columns of a collection, once. */
export function listColumns(collection: Collection): Columns {
  const { fields, longIds } = collection
  const entries = Object.entries(fields).filter(
    ([name, { columns }]) => name !== 'createdAt' && name !== 'updatedAt' && Object.keys(columns).length > 0,
  )
  const readers = entries.map(([name]) => ({ name, read: toReader(fields, name) }))
  const stored = entries.filter(([, { select }]) => select === undefined)
  const select = (names: readonly string[]): string => names.map((name) => toSelectTerm(collection, name)).join(', ')
  const idIn = ({ id }: Row): Id => (longIds ? (parseId(String(id)) ?? 0) : Number(id))
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
    write(item) {
      const values: Stored[] = []
      for (const [name, field] of stored) pushStored(values, field, item[name])
      return values
    },
  }
}

/** Returns an id as its column stores it. */
export function columnFor({ longIds }: Pick<Collection, 'longIds'>, id: Id): Stored {
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
  return chain(db.all(`${select} ${rest}`, values), (rows) => rows.map(read) as Pick<ItemOf<F>, N>[])
}

interface FieldSelection {
  /** The statement up to its table. */
  select: string
  read(row: Row): Record<string, unknown>
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
  const readers = names.map((name) => ({ name, read: toReader(collection.fields, name) }))
  const selected = names.map((name) => toSelectTerm(collection, name)).join(', ')
  return {
    select: `select ${selected} from ${quoted(collection.table)}`,
    read(row) {
      const values: Record<string, unknown> = {}
      for (const { name, read } of readers) values[name] = read(row)
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
  const entries = Object.entries(changes)
  const columns = entries.flatMap(([name]) => Object.keys(fields[name]?.columns ?? {}).map((suffix) => name + suffix))
  const assignments = [...columns.map((column) => `${quoted(column)} = ?`), TOUCH]
  const stored: Stored[] = []
  for (const [name, value] of entries) if (fields[name]) pushStored(stored, fields[name], value)
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

function toReader(fields: Fields, name: string): (row: Row) => unknown {
  const { columns: types = { '': '' }, load = ([value]: readonly Stored[]): unknown => value } = fields[name] ?? {}
  const [first = '', ...others] = Object.keys(types).map((suffix) => name + suffix)
  return (row) => {
    const value = row[first]
    if (value === null || value === undefined) return undefined
    const values: Stored[] = [value]
    for (const other of others) values.push(row[other] ?? null)
    return load(values)
  }
}

function pushStored(values: Stored[], { columns, store }: Field, value: unknown): void {
  if (value === undefined || value === null) for (const _ in columns) values.push(null)
  else values.push(...store(value))
}
