import type { State } from '../algorithm.ts'

/** Whether what a slot holds may be forgotten. */
export type IsOver = (state: State) => boolean

/**
 * A small hash table in one block of memory: of each key its 64-bit hash and `width` numbers, no objects. Collisions go
 * to the next slot; a removal closes the gap, so that there are no tombstones.
 */
export class Segment {
  /** Bits of the hash that all keys here have in common. */
  depth: number
  count = 0
  readonly capacity: number
  readonly #width: number
  readonly #tags: Int32Array
  readonly #words: Float64Array

  constructor(capacity: number, width: number, depth: number) {
    const block = new ArrayBuffer(capacity * (1 + width) * 8)
    this.capacity = capacity
    this.depth = depth
    this.#width = width
    this.#tags = new Int32Array(block, 0, capacity * 2)
    this.#words = new Float64Array(block, capacity * 8)
  }

  /** Longer chains cost more than the memory that they save. */
  get isFull(): boolean {
    return this.count >= this.capacity * 0.8
  }

  /** The slot of a key, or the negated slot less one at which it belongs. */
  find(high: number, low: number): number {
    const mask = this.capacity - 1
    const tags = this.#tags
    for (let slot = high & mask; ; slot = (slot + 1) & mask) {
      const tag = tags[slot * 2 + 1]
      if (tag === 0) return -slot - 1
      if (tag === low && tags[slot * 2] === high) return slot
    }
  }

  /** The numbers in a slot. */
  read(slot: number): State {
    const start = slot * this.#width
    if (this.#width === 1) return [this.#words[start] ?? 0]
    return Array.from(this.#words.subarray(start, start + this.#width))
  }

  /** Writes the numbers of a key into the slot that `find` gave. */
  write(found: number, high: number, low: number, state: State): void {
    const slot = found < 0 ? -found - 1 : found
    if (found < 0) {
      this.#tags[slot * 2] = high
      this.#tags[slot * 2 + 1] = low
      this.count++
    }
    for (let at = 0; at < this.#width; at++) this.#words[slot * this.#width + at] = state[at] ?? 0
  }

  /** Whether a slot is in use. */
  holds(slot: number): boolean {
    return this.#tags[slot * 2 + 1] !== 0
  }

  /** Empties a slot and moves up what had to step aside for it (Knuth 6.4, algorithm R). */
  remove(slot: number): void {
    const mask = this.capacity - 1
    const tags = this.#tags
    let gap = slot
    for (let at = (slot + 1) & mask; tags[at * 2 + 1] !== 0; at = (at + 1) & mask) {
      const home = (tags[at * 2] ?? 0) & mask
      if (((at - home) & mask) < ((at - gap) & mask)) continue
      this.#tags.copyWithin(gap * 2, at * 2, at * 2 + 2)
      this.#words.copyWithin(gap * this.#width, at * this.#width, (at + 1) * this.#width)
      gap = at
    }
    tags[gap * 2 + 1] = 0
    this.count--
  }

  /** Copies what is not over into other segments: `choose` says into which, by the low half of the hash. */
  pour(choose: (low: number) => Segment, isOver: IsOver): void {
    for (let slot = 0; slot < this.capacity; slot++) {
      const high = this.#tags[slot * 2] ?? 0
      const low = this.#tags[slot * 2 + 1] ?? 0
      if (low === 0) continue
      const state = this.read(slot)
      if (isOver(state)) continue
      const target = choose(low)
      target.write(target.find(high, low), high, low, state)
    }
  }

  /** How many slots hold something that is not over. */
  countLive(isOver: IsOver): number {
    let live = 0
    for (let slot = 0; slot < this.capacity; slot++) if (this.holds(slot) && !isOver(this.read(slot))) live++
    return live
  }
}
