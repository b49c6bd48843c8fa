import { chain, type MaybePromise } from '../../../internal/maybe-promise.ts'
import type { Row, SqlExecutor } from '../transaction.ts'

/** Values by the names that a statement gives them. */
export type Values = Readonly<Record<string, string | number | null | Uint8Array>>

/** A statement that is ready to run. */
export type Statement = (executor: SqlExecutor, values: Values) => MaybePromise<readonly Row[]>

/** Makes a statement of SQL with named places (`:id`): PostgreSQL numbers its places, SQLite takes them in order. */
export function statement(sql: string, dialect: 'postgres' | 'sqlite'): Statement {
  const names: string[] = []
  // `::bigint` is a cast.
  const text = sql.replace(/(?<!:):([a-zA-Z]+)/g, (_, name: string) => {
    if (dialect === 'sqlite') names.push(name)
    else if (!names.includes(name)) names.push(name)
    return dialect === 'sqlite' ? '?' : `$${names.indexOf(name) + 1}`
  })
  return (executor, values) => {
    const ordered = names.map((name) => values[name] ?? null)
    return chain(executor.query(text, ordered), (result) => ('rows' in result ? result.rows : result))
  }
}
