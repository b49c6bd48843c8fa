import type { CounterState } from '../algorithm.ts'
import type { KeyHash } from './key-hash.ts'
import type { Expiry, Table } from './table.ts'

const MIN_CAPACITY = 16
/** Copying a segment of this size takes about 0.2 ms, the longest pause while the table grows. */
const MAX_CAPACITY = 4096
/**
 * With more, chains would cost more than the memory they save. Each segment has its own maximum:
 * keys fill all of them alike, and splitting many at the same time would be a long pause.
 */
const MAX_LOAD = 0.8
const LOAD_RANGE = 0.15
/** Calls of `sweep` for a segment: each must be short even before its code is optimized. */
const PARTS = 4
/** Number of keys of which the least used one is evicted. */
const SAMPLE = 16

/**
 * States of one to three numbers, without an object per key. A directory maps the top bits of the
 * hash to a segment. A full segment is split in two, so the table grows without being copied as a
 * whole.
 */
export class FlatTable implements Table {
  #size = 0
  #directory: Segment[]
  #next = 0
  /**
   * Location and state of the key of the last call, until something moves: most writes follow a
   * read of the same key, and many requests one of the same client.
   */
  #key: string | undefined
  #segment: Segment
  #slot = -1
  #state: CounterState | undefined
  readonly #hash: KeyHash
  readonly #width: number
  readonly #expiry: Expiry

  constructor(width: number, hash: KeyHash, expiry: Expiry) {
    this.#width = width
    this.#hash = hash
    this.#expiry = expiry
    this.#segment = new Segment(MIN_CAPACITY, width, 0)
    this.#directory = [this.#segment]
  }

  get size(): number {
    return this.#size
  }

  get parts(): number {
    return this.#directory.length * PARTS
  }

  read(key: string): CounterState | undefined {
    if (key !== this.#key) this.#locate(key)
    if (this.#slot < 0) return undefined
    this.#state ??= this.#segment.read(this.#slot)
    return this.#state
  }

  write(key: string, state: CounterState, now: number): boolean {
    if (key !== this.#key) this.#locate(key)
    if (this.#slot < 0) {
      this.#insert(key, state, now)
      return true
    }
    this.#segment.write(this.#slot, state)
    this.#state = state
    return false
  }

  delete(key: string): void {
    this.#locate(key)
    if (this.#slot >= 0) this.#remove(this.#segment, this.#slot)
  }

  sweep(now: number): void {
    this.#next = (this.#next + 1) % this.parts
    const segment = this.#directory[Math.floor(this.#next / PARTS)] as Segment
    const length = segment.capacity / PARTS
    const start = (this.#next % PARTS) * length
    const end = start + length
    this.#dropExpired(segment, start, end, now)
    const fitting = computeCapacity(segment.count)
    // Not before: states would move from parts to come to those that were checked.
    if (end === segment.capacity && fitting < end) this.#replace(segment, fitting)
  }

  evict(now: number): void {
    // A table that is to evict has keys.
    let segment: Segment
    do segment = this.#directory[Math.floor(Math.random() * this.#directory.length)] as Segment
    while (segment.count === 0)
    let best = 0
    let most = -1
    let slot = Math.floor(Math.random() * segment.capacity)
    for (let left = Math.min(SAMPLE, segment.count); left > 0; slot = (slot + 1) % segment.capacity) {
      if (!segment.holds(slot)) continue
      left--
      const remaining = this.#expiry.remaining(segment.read(slot), now)
      if (remaining <= most) continue
      most = remaining
      best = slot
    }
    this.#remove(segment, best)
  }

  #locate(key: string): void {
    this.#hash.update(key)
    const { high, low } = this.#hash
    // The top bits: the size of the directory is a power of two.
    this.#segment = this.#directory[(low >>> 1) >>> Math.clz32(this.#directory.length)] as Segment
    this.#slot = this.#segment.find(high, low)
    this.#state = undefined
    this.#key = key
  }

  #insert(key: string, state: CounterState, now: number): void {
    // Another table may have used the hash since the key was located.
    this.#hash.update(key)
    const { high, low } = this.#hash
    while (this.#segment.count >= this.#segment.maxCount) {
      this.#makeRoom(this.#segment, now)
      this.#locate(key)
    }
    this.#slot = this.#segment.insert(this.#slot, high, low, state)
    this.#size++
  }

  #remove(segment: Segment, slot: number): void {
    segment.remove(slot)
    this.#size--
    this.#key = undefined
  }

  #makeRoom(segment: Segment, now: number): void {
    const { count, capacity, depth } = segment
    this.#dropExpired(segment, 0, capacity, now)
    if (segment.count < count * 0.75) return
    if (capacity < MAX_CAPACITY) return this.#replace(segment, capacity * 2)
    if (2 ** depth === this.#directory.length) this.#directory = this.#directory.flatMap((entry) => [entry, entry])
    this.#replace(segment, capacity, depth + 1)
  }

  /** Deletes the expired states in the slots from `start` to before `end`. */
  #dropExpired(segment: Segment, start: number, end: number, now: number): void {
    for (let slot = end - 1; slot >= start; slot--)
      while (segment.holds(slot) && this.#expiry.isExpired(segment.read(slot), now)) this.#remove(segment, slot)
  }

  /** Replaces a segment by a copy or, one level deeper, by two that share its keys. */
  #replace(segment: Segment, capacity: number, depth = segment.depth): void {
    const length = 2 ** (depth - segment.depth)
    const copies = Array.from({ length }, () => new Segment(capacity, this.#width, depth))
    const choose = (fraction: number): Segment => copies[Math.floor(fraction * 2 ** depth) % length] as Segment
    segment.copyTo((low) => choose((low >>> 0) / 2 ** 32))
    const { length: size } = this.#directory
    this.#directory = this.#directory.map((entry, index) => (entry === segment ? choose(index / size) : entry))
    this.#key = undefined
  }
}

/**
 * A small hash table in one block of memory: the 64-bit hash and `width` numbers of each key,
 * without objects. Collisions go to the next slot; a removal closes the gap, so that there are no
 * tombstones.
 */
class Segment {
  /** Bits of the hash that all keys here have in common. */
  readonly depth: number
  readonly capacity: number
  /** Number of keys that it has room for. */
  readonly maxCount: number
  count = 0
  readonly #width: number
  /** Integers per slot: both halves of the hash, then two for each number. */
  readonly #stride: number
  readonly #tags: Int32Array
  readonly #words: Float64Array

  constructor(capacity: number, width: number, depth: number) {
    this.capacity = capacity
    this.maxCount = capacity * (MAX_LOAD - LOAD_RANGE * Math.random())
    this.depth = depth
    this.#width = width
    this.#stride = 2 + 2 * width
    this.#words = new Float64Array((capacity * this.#stride) / 2)
    this.#tags = new Int32Array(this.#words.buffer)
  }

  /** Returns the slot of a key; if it is missing, the slot where it belongs as `-slot - 1`. */
  find(high: number, low: number): number {
    const mask = this.capacity - 1
    const tags = this.#tags
    const stride = this.#stride
    for (let slot = high & mask; ; slot = (slot + 1) & mask) {
      const tag = tags[slot * stride + 1]
      if (tag === 0) return -slot - 1
      if (tag === low && tags[slot * stride] === high) return slot
    }
  }

  /** Returns the numbers in a slot. */
  read(slot: number): CounterState {
    const start = (slot * this.#stride) / 2 + 1
    if (this.#width === 1) return [this.#words[start] ?? 0]
    return Array.from(this.#words.subarray(start, start + this.#width))
  }

  /** Writes the numbers in a slot. */
  write(slot: number, state: CounterState): void {
    const start = (slot * this.#stride) / 2 + 1
    for (let index = 0; index < this.#width; index++) this.#words[start + index] = state[index] ?? 0
  }

  /** Adds a key that `find` has missed, and returns its slot. */
  insert(missed: number, high: number, low: number, state: CounterState): number {
    const slot = -missed - 1
    this.#tags[slot * this.#stride] = high
    this.#tags[slot * this.#stride + 1] = low
    this.count++
    this.write(slot, state)
    return slot
  }

  /** Whether a slot is in use. */
  holds(slot: number): boolean {
    return this.#tags[slot * this.#stride + 1] !== 0
  }

  /** Empties a slot and moves up the entries that it displaced (Knuth 6.4, algorithm R). */
  remove(slot: number): void {
    const mask = this.capacity - 1
    const stride = this.#stride
    let gap = slot
    for (let offset = (slot + 1) & mask; this.holds(offset); offset = (offset + 1) & mask) {
      const home = (this.#tags[offset * stride] ?? 0) & mask
      if (((offset - home) & mask) < ((offset - gap) & mask)) continue
      // As integers: copying could change a hash that is read as a floating-point number.
      this.#tags.copyWithin(gap * stride, offset * stride, (offset + 1) * stride)
      gap = offset
    }
    this.#tags[gap * stride + 1] = 0
    this.count--
  }

  /** Copies all states. `choose` returns the target by the low half of the hash. */
  copyTo(choose: (low: number) => Segment): void {
    const length = this.#stride
    for (let slot = 0; slot < this.capacity; slot++) {
      if (!this.holds(slot)) continue
      const start = slot * length
      const low = this.#tags[start + 1] ?? 0
      const target = choose(low)
      const to = (-target.find(this.#tags[start] ?? 0, low) - 1) * length
      for (let index = 0; index < length; index++) target.#tags[to + index] = this.#tags[start + index] ?? 0
      target.count++
    }
  }
}

function computeCapacity(live: number): number {
  let capacity = MIN_CAPACITY
  while (capacity * 0.6 < live && capacity < MAX_CAPACITY) capacity *= 2
  return capacity
}
