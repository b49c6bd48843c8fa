import type { CounterState } from '../algorithm.ts'

/** Whether the state of a slot may be deleted. */
export type IsExpired = (state: CounterState) => boolean

/**
 * A small hash table in one block of memory: the 64-bit hash and `width` numbers of each key,
 * without objects. Collisions go to the next slot; a removal closes the gap, so that there are no
 * tombstones.
 */
export class Segment {
  /** Bits of the hash that all keys here have in common. */
  readonly depth: number
  readonly capacity: number
  count = 0
  readonly #width: number
  /** Numbers per slot: the first contains both halves of the hash. */
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

  /** Longer chains would cost more than the memory they save. */
  get isFull(): boolean {
    return this.count >= this.capacity * 0.8
  }

  /** Returns the slot of a key; if it is missing, the slot where it belongs as `-slot - 1`. */
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

  /** Returns the numbers in a slot. */
  read(slot: number): CounterState {
    const start = slot * this.#stride + 1
    if (this.#width === 1) return [this.#words[start] ?? 0]
    return Array.from(this.#words.subarray(start, start + this.#width))
  }

  /** Writes the numbers of a key to the result of `find`. */
  write(position: number, high: number, low: number, state: CounterState): void {
    const slot = position < 0 ? -position - 1 : position
    const start = slot * this.#stride
    if (position < 0) {
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

  /** Empties a slot and moves up the entries that it displaced (Knuth 6.4, algorithm R). */
  remove(slot: number): void {
    const mask = this.capacity - 1
    const stride = this.#stride
    let gap = slot
    for (let offset = (slot + 1) & mask; this.holds(offset); offset = (offset + 1) & mask) {
      const home = (this.#tags[offset * stride * 2] ?? 0) & mask
      if (((offset - home) & mask) < ((offset - gap) & mask)) continue
      // As integers: copying could change a hash that is read as a floating-point number.
      this.#tags.copyWithin(gap * stride * 2, offset * stride * 2, (offset + 1) * stride * 2)
      gap = offset
    }
    this.#tags[gap * stride * 2 + 1] = 0
    this.count--
  }

  /**
   * Copies the states that have not expired. `choose` returns the target by the low half of the
   * hash.
   */
  copyTo(choose: (low: number) => Segment, isExpired: IsExpired): void {
    for (let slot = 0; slot < this.capacity; slot++) {
      if (!this.holds(slot)) continue
      const state = this.read(slot)
      if (isExpired(state)) continue
      const high = this.#tags[slot * this.#stride * 2] ?? 0
      const low = this.#tags[slot * this.#stride * 2 + 1] ?? 0
      const target = choose(low)
      target.write(target.find(high, low), high, low, state)
    }
  }

  /** Returns the number of states that have not expired. */
  countLive(isExpired: IsExpired): number {
    let live = 0
    for (let slot = 0; slot < this.capacity; slot++) if (this.holds(slot) && !isExpired(this.read(slot))) live++
    return live
  }
}
