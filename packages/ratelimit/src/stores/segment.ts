import type { CounterState } from '../algorithm.ts'

/** Whether what a slot holds may be forgotten. */
export type IsOver = (state: CounterState) => boolean

/**
 * A small hash table in one block of memory: of each key its 64-bit hash and `width` numbers, side by side, no objects.
 * Collisions go to the next slot; a removal closes the gap, so that there are no tombstones.
 */
export class Segment {
  /** Bits of the hash that all keys here have in common. */
  readonly depth: number
  readonly capacity: number
  count = 0
  readonly #width: number
  /** Numbers from one slot to the next: the first holds the hash, as two halves. */
  readonly #stride: number
  readonly #tags: Int32Array
  readonly #words: Float64Array

  constructor(capacity: number, width: number, depth: number) {
    this.capacity = capacity
    this.depth = depth
    this.#width = width
    this.#stride = 1 + width
    this.#words = new Float64Array(capacity * this.#stride)
    this.#tags = new Int32Array(this.#words.buffer)
  }

  /** Longer chains cost more than the memory that they save. */
  get isFull(): boolean {
    return this.count >= this.capacity * 0.8
  }

  /** The slot of a key, or the negated slot less one at which it belongs. */
  find(high: number, low: number): number {
    const mask = this.capacity - 1
    const tags = this.#tags
    const step = this.#stride * 2
    for (let slot = high & mask; ; slot = (slot + 1) & mask) {
      const tag = tags[slot * step + 1]
      if (tag === 0) return -slot - 1
      if (tag === low && tags[slot * step] === high) return slot
    }
  }

  /** The numbers in a slot. */
  read(slot: number): CounterState {
    const start = slot * this.#stride + 1
    if (this.#width === 1) return [this.#words[start] ?? 0]
    return Array.from(this.#words.subarray(start, start + this.#width))
  }

  /** Writes the numbers of a key into the slot that `find` gave. */
  write(found: number, high: number, low: number, state: CounterState): void {
    const slot = found < 0 ? -found - 1 : found
    const start = slot * this.#stride
    if (found < 0) {
      this.#tags[start * 2] = high
      this.#tags[start * 2 + 1] = low
      this.count++
    }
    for (let index = 0; index < this.#width; index++) this.#words[start + 1 + index] = state[index] ?? 0
  }

  /** Whether a slot is in use. */
  holds(slot: number): boolean {
    return this.#tags[slot * this.#stride * 2 + 1] !== 0
  }

  /** Empties a slot and moves up what had to step aside for it (Knuth 6.4, algorithm R). */
  remove(slot: number): void {
    const mask = this.capacity - 1
    const stride = this.#stride
    let gap = slot
    for (let offset = (slot + 1) & mask; this.holds(offset); offset = (offset + 1) & mask) {
      const home = (this.#tags[offset * stride * 2] ?? 0) & mask
      if (((offset - home) & mask) < ((offset - gap) & mask)) continue
      // As whole numbers: a hash read as a floating-point number could be changed by being copied.
      this.#tags.copyWithin(gap * stride * 2, offset * stride * 2, (offset + 1) * stride * 2)
      gap = offset
    }
    this.#tags[gap * stride * 2 + 1] = 0
    this.count--
  }

  /** Copies what is not over into other segments: `choose` says into which, by the low half of the hash. */
  pour(choose: (low: number) => Segment, isOver: IsOver): void {
    for (let slot = 0; slot < this.capacity; slot++) {
      if (!this.holds(slot)) continue
      const state = this.read(slot)
      if (isOver(state)) continue
      const high = this.#tags[slot * this.#stride * 2] ?? 0
      const low = this.#tags[slot * this.#stride * 2 + 1] ?? 0
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
