import type { CounterState } from '../algorithm.ts'
import type { Expiry, Table } from './table.ts'

const PART = 500
const SAMPLE = 16

/** States of any length, for the algorithms that store each request. */
export class MapTable implements Table {
  readonly #states = new Map<string, CounterState>()
  readonly #expiry: Expiry
  #cursor: IterableIterator<[string, CounterState]>

  constructor(expiry: Expiry) {
    this.#expiry = expiry
    this.#cursor = this.#states.entries()
  }

  get size(): number {
    return this.#states.size
  }

  get parts(): number {
    return Math.ceil((this.#states.size + 1) / PART)
  }

  read(key: string): CounterState | undefined {
    return this.#states.get(key)
  }

  write(key: string, state: CounterState): boolean {
    const { size } = this.#states
    if (state.length === 0) this.#states.delete(key)
    else this.#states.set(key, state)
    return this.#states.size > size
  }

  delete(key: string): void {
    this.#states.delete(key)
  }

  sweep(now: number): void {
    for (const [key, state] of this.#nextEntries(PART)) if (this.#expiry.isExpired(state, now)) this.#states.delete(key)
  }

  evict(now: number): void {
    let best: string | undefined
    let most = -1
    for (const [key, state] of this.#nextEntries(Math.min(SAMPLE, this.#states.size))) {
      const remaining = this.#expiry.remaining(state, now)
      if (remaining <= most) continue
      most = remaining
      best = key
    }
    if (best !== undefined) this.#states.delete(best)
  }

  /**
   * Returns the next entries, in a circle: an iterator of a Map continues where it was, regardless
   * of writes.
   */
  #nextEntries(count: number): [string, CounterState][] {
    const entries: [string, CounterState][] = []
    while (entries.length < Math.min(count, this.#states.size)) {
      const { value, done } = this.#cursor.next()
      if (done) this.#cursor = this.#states.entries()
      else entries.push(value)
    }
    return entries
  }
}
