import type { RecognizedError } from '../classification.ts'
import { fromMysql } from './mysql.ts'
import { fromNetwork } from './network.ts'
import { fromPostgres } from './postgres.ts'
import { fromSqlite } from './sqlite.ts'

/** The errors of the drivers of SQL databases. */
export function fromDatabase(error: object): RecognizedError | undefined {
  return fromPostgres(error) ?? fromMysql(error) ?? fromSqlite(error) ?? fromNetwork(error)
}

/** Drizzle adds its query to the error of the driver, which is the cause. */
export function fromDrizzle(error: object): RecognizedError | undefined {
  if (!('query' in error && 'params' in error && 'cause' in error)) return undefined
  return typeof error.cause === 'object' && error.cause !== null ? fromDatabase(error.cause) : undefined
}
