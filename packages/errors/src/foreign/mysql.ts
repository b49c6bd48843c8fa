import type { RecognizedError } from '../classification.ts'
import { DUPLICATE, IN_USE, UNKNOWN_REFERENCE, VALUE_REJECTED } from './constraint.ts'
import { RETRY_LATER } from './network.ts'

// dev.mysql.com/doc/mysql-errors; ER_CONSTRAINT_FAILED is of MariaDB
// (mariadb.com/kb/en/mariadb-error-codes).
const CODES = new Map<unknown, RecognizedError>([
  ['ER_DUP_ENTRY', DUPLICATE],
  ['ER_DUP_ENTRY_WITH_KEY_NAME', DUPLICATE],
  ['ER_ROW_IS_REFERENCED', IN_USE],
  ['ER_ROW_IS_REFERENCED_2', IN_USE],
  ['ER_NO_REFERENCED_ROW', UNKNOWN_REFERENCE],
  ['ER_NO_REFERENCED_ROW_2', UNKNOWN_REFERENCE],
  ['ER_CHECK_CONSTRAINT_VIOLATED', VALUE_REJECTED],
  ['ER_CONSTRAINT_FAILED', VALUE_REJECTED],
  ['ER_LOCK_DEADLOCK', RETRY_LATER],
  ['ER_LOCK_WAIT_TIMEOUT', RETRY_LATER],
  ['ER_CON_COUNT_ERROR', RETRY_LATER],
  ['ER_TOO_MANY_USER_CONNECTIONS', RETRY_LATER],
  ['ER_SERVER_SHUTDOWN', RETRY_LATER],
  ['ER_QUERY_TIMEOUT', RETRY_LATER],
  ['PROTOCOL_CONNECTION_LOST', RETRY_LATER],
])

/** Recognizes errors of mysql2, mysql and mariadb, which have the error of the server as `code`. */
export function fromMysql(error: object): RecognizedError | undefined {
  return CODES.get((error as { code?: unknown }).code)
}
