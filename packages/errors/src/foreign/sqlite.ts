import type { RecognizedError } from '../classification.ts'
import { CONFLICT, DUPLICATE, VALUE_REJECTED } from './constraint.ts'
import { RETRY_LATER } from './network.ts'

// Result codes (sqlite.org/rescode.html): extended codes by number, and by name for better-sqlite3.
// That of a foreign key does not say which end of the reference is wrong.
const CODES = new Map<unknown, RecognizedError>([
  [2067, DUPLICATE],
  ['SQLITE_CONSTRAINT_UNIQUE', DUPLICATE],
  [1555, DUPLICATE],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', DUPLICATE],
  [2579, DUPLICATE],
  ['SQLITE_CONSTRAINT_ROWID', DUPLICATE],
  [787, CONFLICT],
  ['SQLITE_CONSTRAINT_FOREIGNKEY', CONFLICT],
  [275, VALUE_REJECTED],
  ['SQLITE_CONSTRAINT_CHECK', VALUE_REJECTED],
])

// Primary codes: busy, locked, disk full.
const LATER = new Set([5, 6, 13])
const LATER_NAMES = /^SQLITE_(BUSY|LOCKED|FULL)/

/**
 * Recognizes errors of node:sqlite (`errcode`), better-sqlite3 (`code` is the name) and sqlite3
 * (`errno`, and the name in the message).
 */
export function fromSqlite(error: object): RecognizedError | undefined {
  const { code, errcode, message } = error as Partial<Record<string, unknown>>
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number') {
    return CODES.get(errcode) ?? (LATER.has(errcode & 0xff) ? RETRY_LATER : undefined)
  }
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return undefined
  if (LATER_NAMES.test(code)) return RETRY_LATER
  if (code === 'SQLITE_CONSTRAINT' && String(message).startsWith('SQLITE_CONSTRAINT: UNIQUE')) return DUPLICATE
  return CODES.get(code)
}
