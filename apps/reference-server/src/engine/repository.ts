import type { Db, Dialect } from '../database/database.ts'
import { change, quoted, run, statement } from '../database/query.ts'
import type { Id, Stored } from '../database/values.ts'
import { columnFor, columnsOf } from './columns.ts'
import { type AnyCondition, whereOf } from './conditions.ts'
import type { Collection, Item } from './define.ts'

export interface Sorting {
  column: string
  descending: boolean
  /** Field that the column belongs to, if it has several. @defaultValue the column */
  field?: string
  /** Which of the columns of the field it is. @defaultValue 0 */
  part?: number
}

export interface Selection {
  conditions: readonly AnyCondition[]
  sort: readonly Sorting[]
  limit: number
  offset: number
}

/** Reads and writes the items of one collection. Every method takes the connection or transaction it works in. */
export interface Repository {
  find(db: Db, id: Id): Promise<Item | undefined>
  /** As `find`; nobody else can change the item until the transaction ends. */
  findForChange(db: Db, id: Id): Promise<Item | undefined>
  /** Many by their ids, in no order. */
  findAll(db: Db, ids: readonly Id[]): Promise<Item[]>
  list(db: Db, selection: Selection): Promise<Item[]>
  count(db: Db, conditions: readonly AnyCondition[]): Promise<number>
  insert(db: Db, item: Omit<Item, 'id' | 'revision' | 'updatedAt'>, now: string, id?: Id): Promise<Id>
  /** Writes over the item with this revision: `false` when somebody was faster. */
  update(db: Db, item: Item, now: string): Promise<boolean>
  /** Deletes the item with this revision: `false` when somebody was faster. */
  remove(db: Db, item: Item): Promise<boolean>
}

/** The repository of a collection: its statements are made here, once. */
export function repositoryOf(collection: Collection, dialect: Dialect): Repository {
  const { longIds, hooks } = collection
  const columns = columnsOf(collection)
  const table = quoted(collection.table)
  const from = `select ${columns.select} from ${table}`
  const key = (id: Id): Stored => columnFor(collection, id)
  const findOne = statement(dialect, `${from} where "id" = ?`)
  // The embedded database has one writer at a time.
  const lockOne = dialect === 'sqlite' ? findOne : `${findOne} for update`
  const names = [...columns.written, 'revision', 'createdAt', 'updatedAt'].map(quoted)
  const marks = `${names.map(() => '?').join(', ')}`
  const returning = `returning ${longIds ? 'cast("id" as text) as "id"' : '"id"'}`
  const insertOne = statement(dialect, `insert into ${table} (${names.join(', ')}) values (${marks}) ${returning}`)
  const insertWithId = statement(
    dialect,
    `insert into ${table} ("id", ${names.join(', ')}) values (?, ${marks}) ${returning}`,
  )
  const assignments = [...columns.written, 'updatedAt'].map((name) => `${quoted(name)} = ?`)
  const updateOne = statement(
    dialect,
    `update ${table} set ${assignments.join(', ')}, "revision" = "revision" + 1 where "id" = ? and "revision" = ?`,
  )
  const removeOne = statement(dialect, `delete from ${table} where "id" = ? and "revision" = ?`)

  const itemsOf = async (db: Db, sql: string, values: readonly Stored[]): Promise<Item[]> => {
    const items = (await run(db, sql, values)).map(columns.read)
    if (hooks.load && items.length > 0) await hooks.load(db, items)
    return items
  }
  return {
    find: async (db, id) => (await itemsOf(db, findOne, [key(id)]))[0],
    findForChange: async (db, id) => (await itemsOf(db, lockOne, [key(id)]))[0],
    findAll(db, ids) {
      if (ids.length === 0) return Promise.resolve([])
      return itemsOf(db, statement(dialect, `${from} where "id" in (${ids.map(() => '?').join(', ')})`), ids.map(key))
    },
    list(db, { conditions, sort, limit, offset }) {
      const values: Stored[] = []
      const where = whereOf(conditions, dialect, values)
      const sql = statement(dialect, `${from}${where} order by ${orderOf(sort, table)} limit ? offset ?`)
      return itemsOf(db, sql, [...values, limit, offset])
    },
    async count(db, conditions) {
      const values: Stored[] = []
      const where = whereOf(conditions, dialect, values)
      const [row] = await run(db, statement(dialect, `select count(*) as "count" from ${table}${where}`), values)
      return Number(row?.['count'] ?? 0)
    },
    async insert(db, item, now, id) {
      const values = [...columns.write(item as Item), 1, now, now]
      const [row] =
        id === undefined ? await run(db, insertOne, values) : await run(db, insertWithId, [key(id), ...values])
      const given = String(row?.['id'])
      return longIds && !Number.isSafeInteger(Number(given)) ? given : Number(given)
    },
    async update(db, item, now) {
      const values = [...columns.write(item), now, key(item.id), item.revision]
      return (await change(db, updateOne, values)) === 1
    },
    async remove(db, item) {
      return (await change(db, removeOne, [key(item.id), item.revision])) === 1
    },
  }
}

// Absent values come first when ascending; the id makes the order total. Columns are named with their table: a 64-bit
// number is selected as text under its own name, and would be sorted as text.
function orderOf(sort: readonly Sorting[], table: string): string {
  const parts = sort.map(({ column, descending }) =>
    descending ? `${table}.${quoted(column)} desc nulls last` : `${table}.${quoted(column)} asc nulls first`,
  )
  return sort.some(({ column }) => column === 'id') ? parts.join(', ') : [...parts, `${table}."id" asc`].join(', ')
}
