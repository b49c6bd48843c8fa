import { classify } from '@svc/errors'

/** Rule of the tables that a statement broke. */
export type Violation = { rule: 'unique'; field: string } | { rule: 'reference' } | { rule: 'check' }

// https://www.sqlite.org/rescode.html
const SQLITE_BUSY = 5
const SQLITE_CHECK = 275
const SQLITE_REFERENCE = 787
const SQLITE_PRIMARY_KEY = 1555
const SQLITE_UNIQUE = 2067

interface DriverError {
  code?: unknown
  errcode?: unknown
  message?: unknown
  constraint?: unknown
}

/** Reads an error of either driver; `undefined` for an error that is not a broken rule. */
export function readViolation(error: unknown): Violation | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, errcode, message, constraint }: DriverError = error
  if (code === 'ERR_SQLITE_ERROR') {
    if (errcode === SQLITE_REFERENCE) return { rule: 'reference' }
    if (errcode === SQLITE_CHECK) return { rule: 'check' }
    if (errcode === SQLITE_UNIQUE || errcode === SQLITE_PRIMARY_KEY)
      return { rule: 'unique', field: findField(String(message)) }
  }
  if (code === '23505') return { rule: 'unique', field: findField(String(constraint)) }
  if (code === '23503') return { rule: 'reference' }
  if (code === '23514') return { rule: 'check' }
  return undefined
}

// `UNIQUE constraint failed: products.sku`, `... failed: index 'users_email_unique'`,
// `products_sku_unique`, `users_pkey`
function findField(text: string): string {
  const index = /_([A-Za-z]+)_unique/.exec(text)
  if (index?.[1]) return index[1]
  const column = /\.([A-Za-z]+)$/.exec(text.split(', ').at(-1) ?? '')
  return column?.[1] ?? 'id'
}

/** Whether a retry may succeed: the database was unavailable, or a transaction was in conflict. */
export function isPassing(error: unknown): boolean {
  return classify(error).status === 503
}

/** Whether another process has locked the file of SQLite. */
export function isLocked(error: unknown): boolean {
  const { code, errcode }: DriverError = Object(error)
  // Extended codes have the primary one in their low byte: SQLITE_BUSY_SNAPSHOT is 517.
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' && (errcode & 0xff) === SQLITE_BUSY
}
