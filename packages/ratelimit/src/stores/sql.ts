import type { CounterState } from '../algorithm.ts'
import { digest } from '../digest.ts'
import type { Charge } from '../store.ts'

/** Throws unless the name of a table can stand in a statement as it is. */
export function checkTable(table: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(table)) return table
  throw new TypeError(`ratelimit: table must be a plain SQL name, got ${JSON.stringify(table)}`)
}

/** What a charge is kept under: no length and no character of a key may make the database fail. */
export function rowKey({ policy, key }: Charge): string {
  return `${policy.id} ${digest(key)}`
}

/** The numbers of a state as text. */
export function writeState(state: CounterState): string {
  return state.join(' ')
}

/** The state that a text stands for. */
export function readState(text: string): CounterState {
  return text === '' ? [] : text.split(' ').map(Number)
}

/** How often rows that say nothing any more are deleted, and how many at once. */
export const SWEEP = { everyMs: 60_000, rows: 1000 }
