import type { RecognizedError } from '../classification.ts'
import { fromMysql } from './mysql.ts'
import { fromNetwork } from './network.ts'
import { fromPostgres } from './postgres.ts'
import { fromSqlite } from './sqlite.ts'

/** Recognizes errors of the drivers of SQL databases. */
export function fromDatabase(error: object): RecognizedError | undefined {
  return fromPostgres(error) ?? fromMysql(error) ?? fromSqlite(error) ?? fromNetwork(error)
}

/** Recognizes errors of Drizzle, which wrap the error of the driver as their cause. */
export function fromDrizzle(error: object): RecognizedError | undefined {
  if (!('query' in error && 'params' in error && 'cause' in error)) return undefined
  return typeof error.cause === 'object' && error.cause !== null ? fromDatabase(error.cause) : undefined
}
