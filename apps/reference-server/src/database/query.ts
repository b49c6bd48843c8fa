import { CompiledQuery } from 'kysely'
import { type Db, type Dialect, dialectOf } from './database.ts'
import type { Stored } from './values.ts'

export type Row = Readonly<Record<string, Stored>>

/** SQL with `?` for values, in the notation of one database. PostgreSQL numbers them. */
export function statement(dialect: Dialect, text: string): string {
  if (dialect === 'sqlite') return text
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}

/** Runs SQL right now; `undefined` where it has to wait for its turn. */
export type RunNow = (sql: string, values: readonly Stored[]) => Row[] | undefined

const immediate = new WeakMap<Db, RunNow>()

/** Lets `run` do without the queue of a connection where nobody else is using it. */
export function runAtOnce(db: Db, now: RunNow): void {
  immediate.set(db, now)
}

/** Runs SQL that was made once: nothing is built for a request but the list of its values. */
export async function run(db: Db, sql: string, values: readonly Stored[]): Promise<Row[]> {
  const found = immediate.get(db)?.(sql, values)
  if (found) return found
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(sql, values as unknown[]))
  return rows
}

/** Whether a table has a row with this id. */
export async function exists(db: Db, table: string, id: Stored): Promise<boolean> {
  const rows = await run(db, statement(dialectOf(db), `select 1 from ${quoted(table)} where "id" = ?`), [id])
  return rows.length > 0
}

/** As `run`, for statements whose effect is counted. */
export async function change(db: Db, sql: string, values: readonly Stored[]): Promise<number> {
  const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(sql, values as unknown[]))
  return Number(numAffectedRows ?? 0n)
}

/** A name as SQL writes it. Names come from declarations alone. */
export function quoted(name: string): string {
  return `"${name}"`
}
