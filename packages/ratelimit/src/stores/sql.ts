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

const SWEEP_EVERY_MS = 60_000
const SWEEP_EVERY_ROWS = 250

/**
 * Creates a function that counts the rows a transaction may have added, and returns how many
 * expired ones to delete. It is at least twice as many as were added, so expired rows do not pile
 * up; 0 if no sweep is due.
 */
export function sweepPlanner(): (time: number, rows: number) => number {
  let added = 0
  let nextSweep = 0
  return (time, rows) => {
    added += rows
    if (added < SWEEP_EVERY_ROWS && time < nextSweep) return 0
    const most = 2 * Math.max(added, SWEEP_EVERY_ROWS)
    added = 0
    nextSweep = time + SWEEP_EVERY_MS
    return most
  }
}
