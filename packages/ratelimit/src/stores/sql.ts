import { inspectValue } from '../../../internal/options.ts'
import type { CounterState } from '../algorithm.ts'
import { digest } from '../digest.ts'
import type { Charge } from '../store.ts'

/** Throws unless a table name can be part of a statement as is. */
export function assertTableName(table: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(table)) return table
  throw new TypeError(`ratelimit: table must be a name such as svc_ratelimit, got ${inspectValue(table)}`)
}

/**
 * Returns the primary key of a charge: keys of any length and characters must not make the database
 * fail.
 */
export function toRowKey({ policy, key }: Charge): string {
  return `${policy.id} ${digest(key)}`
}

/** Formats a state. */
export function formatState(state: CounterState): string {
  return state.join(' ')
}

/** Parses a state. */
export function parseState(text: string): CounterState {
  return text === '' ? [] : text.split(' ').map(Number)
}

/** Interval at which expired rows are deleted, and their maximum number. */
export const SWEEP = { everyMs: 60_000, rows: 1000 }
