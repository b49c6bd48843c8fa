import type { CounterState } from '../algorithm.ts'
import type { Forget, Table } from './table.ts'

const PART = 500
const SAMPLE = 16

/** States of any length, for the algorithms that remember each request. */
export class MapTable implements Table {
  readonly #states = new Map<string, CounterState>()
  readonly #forget: Forget
  #cursor: IterableIterator<[string, CounterState]>

  constructor(forget: Forget) {
    this.#forget = forget
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

  write(key: string, state: CounterState): void {
    if (state.length === 0) this.#states.delete(key)
    else this.#states.set(key, state)
  }

  delete(key: string): void {
    this.#states.delete(key)
  }

  sweep(now: number): void {
    for (const [key, state] of this.#some(PART)) if (this.#forget.isOver(state, now)) this.#states.delete(key)
  }

  evict(now: number): void {
    let best: string | undefined
    let most = -1
    for (const [key, state] of this.#some(Math.min(SAMPLE, this.#states.size))) {
      const remaining = this.#forget.remaining(state, now)
      if (remaining <= most) continue
      most = remaining
      best = key
    }
    if (best !== undefined) this.#states.delete(best)
  }

  /** The next entries, going round: an iterator of a Map goes on where it was, whatever was written meanwhile. */
  #some(count: number): [string, CounterState][] {
    const entries: [string, CounterState][] = []
    while (entries.length < Math.min(count, this.#states.size)) {
      const { value, done } = this.#cursor.next()
      if (done) this.#cursor = this.#states.entries()
      else entries.push(value)
    }
    return entries
  }
}
