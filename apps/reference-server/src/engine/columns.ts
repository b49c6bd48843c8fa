import { quoted, type Row } from '../database/query.ts'
import { type Id, idOf, type Stored } from '../database/values.ts'
import type { Collection, Item } from './define.ts'

/** How the items of a collection are read from rows and written to them. */
export interface Columns {
  /** What stands between `select` and `from`. */
  select: string
  /** Columns that are written. */
  written: readonly string[]
  read(row: Row): Item
  write(item: Item): Stored[]
}

/** Works out the columns of a collection, once. */
export function columnsOf({ fields, longIds, table }: Collection): Columns {
  const selects = [longIds ? 'cast("id" as text) as "id"' : '"id"', '"revision"', '"createdAt"', '"updatedAt"']
  const written: string[] = []
  const parts: { name: string; columns: string[]; load: (values: Stored[]) => unknown }[] = []
  const writers: { name: string; width: number; store: (value: unknown) => readonly Stored[] }[] = []
  for (const [name, field] of Object.entries(fields)) {
    if (name === 'createdAt' || name === 'updatedAt') continue
    const columns = Object.entries(field.columns).map(([suffix, type]) => ({ column: name + suffix, type }))
    if (columns.length === 0) continue
    parts.push({ name, columns: columns.map(({ column }) => column), load: field.load })
    if (field.select !== undefined) {
      selects.push(`(${field.select}) as ${quoted(name)}`)
      continue
    }
    for (const { column, type } of columns) {
      selects.push(type === 'long' ? `cast(${quoted(column)} as text) as ${quoted(column)}` : quoted(column))
      written.push(column)
    }
    writers.push({ name, width: columns.length, store: field.store })
  }
  const showsCreation = 'createdAt' in fields
  return {
    select: selects.join(', ').replaceAll('{table}', quoted(table)),
    written,
    read(row) {
      const id = longIds ? (idOf(String(row['id'])) ?? 0) : Number(row['id'])
      const item: Item = { id, revision: Number(row['revision']), updatedAt: String(row['updatedAt']) }
      for (const { name, columns, load } of parts) {
        const first = row[columns[0] ?? '']
        if (first === null || first === undefined) continue
        item[name] = load(columns.length === 1 ? [first] : columns.map((column) => row[column] ?? null))
      }
      if (showsCreation) item['createdAt'] = String(row['createdAt'])
      return item
    },
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
