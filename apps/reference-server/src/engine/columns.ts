import { quoted, type Row } from '../database/connection.ts'
import { type Id, idOf, type Stored } from '../database/values.ts'
import type { Collection, Item } from './define.ts'
import type { ItemState } from './repository.ts'

/** How the items of a collection are read from rows and written to them. */
export interface Columns {
  /** What stands between `select` and `from`. */
  select: string
  /** The same for a state. */
  selectState: string
  /** Columns that are written. */
  written: readonly string[]
  read(row: Row): Item
  readState(row: Row): ItemState
  write(item: Item): Stored[]
}

/** Works out the columns of a collection, once. */
export function columnsOf({ fields, longIds }: Collection): Columns {
  const id = longIds ? 'cast("id" as text) as "id"' : '"id"'
  const selects = [id, '"revision"', '"createdAt"', '"updatedAt"']
  const stateSelects = [id, '"revision"', '"updatedAt"']
  const computed: string[] = []
  const written: string[] = []
  const parts: { name: string; columns: string[]; load: (values: Stored[]) => unknown }[] = []
  const writers: { name: string; width: number; store: (value: unknown) => readonly Stored[] }[] = []
  for (const [name, field] of Object.entries(fields)) {
    if (name === 'createdAt' || name === 'updatedAt') continue
    const columns = Object.entries(field.columns).map(([suffix, type]) => ({ column: name + suffix, type }))
    if (columns.length === 0) continue
    parts.push({ name, columns: columns.map(({ column }) => column), load: field.load })
    if (field.select !== undefined) {
      const select = `(${field.select}) as ${quoted(name)}`
      selects.push(select)
      stateSelects.push(select)
      computed.push(name)
      continue
    }
    for (const { column, type } of columns) {
      selects.push(type === 'long' ? `cast(${quoted(column)} as text) as ${quoted(column)}` : quoted(column))
      written.push(column)
    }
    writers.push({ name, width: columns.length, store: field.store })
  }
  const showsCreation = 'createdAt' in fields
  const idIn = (row: Row): Id => (longIds ? (idOf(String(row['id'])) ?? 0) : Number(row['id']))
  return {
    select: selects.join(', '),
    selectState: stateSelects.join(', '),
    written,
    read(row) {
      const item: Item = { id: idIn(row), revision: Number(row['revision']), updatedAt: String(row['updatedAt']) }
      for (const { name, columns, load } of parts) {
        const first = row[columns[0] ?? '']
        if (first === null || first === undefined) continue
        item[name] = load(columns.length === 1 ? [first] : columns.map((column) => row[column] ?? null))
      }
      if (showsCreation) item['createdAt'] = String(row['createdAt'])
      return item
    },
    readState: (row) => ({
      id: idIn(row),
      revision: Number(row['revision']),
      updatedAt: String(row['updatedAt']),
      computed: computed.map((name) => row[name] ?? null),
    }),
    write: (item) =>
      writers.flatMap(({ name, width, store }) => {
        const value = item[name]
        return value === undefined || value === null ? new Array<Stored>(width).fill(null) : store(value)
      }),
  }
}

/** An id as its column holds it. */
export function columnFor({ longIds }: Collection, id: Id): Stored {
  return longIds ? BigInt(id) : Number(id)
}
