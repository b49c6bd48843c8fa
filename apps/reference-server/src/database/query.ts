import { CompiledQuery } from 'kysely'
import type { Stored } from '../resources/fields.ts'
import type { Db, Dialect } from './database.ts'

export type Row = Readonly<Record<string, Stored>>

/** SQL with `?` for values, in the notation of one database. PostgreSQL numbers them. */
export function statement(dialect: Dialect, text: string): string {
  if (dialect === 'sqlite') return text
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}

/** Runs SQL that was made once: nothing is built for a request but the list of its values. */
export async function run(db: Db, sql: string, values: readonly Stored[]): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(sql, values as unknown[]))
  return rows
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
