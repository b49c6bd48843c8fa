import type { CounterState } from '../algorithm.ts'
import type { KeyHash } from './key-hash.ts'
import type { Expiry, Table } from './table.ts'

const MIN_CAPACITY = 16
/** Copying a segment of this size takes about 0.2 ms, the longest pause while the table grows. */
const MAX_CAPACITY = 4096
/** Longer chains would cost more than the memory they save. */
const MAX_LOAD = 0.8
/** Number of keys of which the least used one is evicted. */
const SAMPLE = 16

/** Whether the state of a slot may be deleted. */
type IsExpired = (state: CounterState) => boolean

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
    return this.#directory.length
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
    const isExpired: IsExpired = (state) => this.#expiry.isExpired(state, now)
    this.#next = (this.#next + 1) % this.#directory.length
    const segment = this.#directory[this.#next]
    if (!segment || segment.count === 0) return
    const live = segment.countLive(isExpired)
    const fitting = computeCapacity(live)
    if (live < segment.count || fitting < segment.capacity) this.#replace(segment, fitting, isExpired)
  }

  evict(now: number): void {
    const start = Math.floor(Math.random() * this.#directory.length)
    for (let step = 0; step < this.#directory.length; step++) {
      const segment = this.#directory[(start + step) % this.#directory.length]
      if (!segment || segment.count === 0) continue
      this.#remove(segment, this.#findLeastUsed(segment, now))
      return
    }
  }

  #locate(key: string): void {
    this.#hash.update(key)
    const { high, low } = this.#hash
    this.#segment = this.#directory[toIndex(low, this.#directory.length)] as Segment
    this.#slot = this.#segment.find(high, low)
    this.#state = undefined
    this.#key = key
  }

  #insert(key: string, state: CounterState, now: number): void {
    // Another table may have used the hash since the key was located.
    this.#hash.update(key)
    const { high, low } = this.#hash
    while (this.#segment.count >= this.#segment.capacity * MAX_LOAD) {
      this.#makeRoom(this.#segment, low, (entry) => this.#expiry.isExpired(entry, now))
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

  #findLeastUsed(segment: Segment, now: number): number {
    let best = -1
    let most = -1
    let seen = 0
    let slot = Math.floor(Math.random() * segment.capacity)
    for (let step = 0; step < segment.capacity && seen < SAMPLE; step++) {
      slot = (slot + 1) % segment.capacity
      if (!segment.holds(slot)) continue
      seen++
      const remaining = this.#expiry.remaining(segment.read(slot), now)
      if (remaining > most) {
        most = remaining
        best = slot
      }
    }
    return best
  }

  #makeRoom(segment: Segment, low: number, isExpired: IsExpired): void {
    const live = segment.countLive(isExpired)
    if (live < segment.count * 0.75) this.#replace(segment, computeCapacity(live), isExpired)
    else if (segment.capacity < MAX_CAPACITY) this.#replace(segment, segment.capacity * 2, isExpired)
    else this.#split(segment, low, isExpired)
  }

  #replace(segment: Segment, capacity: number, isExpired: IsExpired): void {
    const copy = new Segment(capacity, this.#width, segment.depth)
    segment.copyTo(() => copy, isExpired)
    this.#key = undefined
    this.#size += copy.count - segment.count
    this.#directory = this.#directory.map((entry) => (entry === segment ? copy : entry))
  }

  #split(segment: Segment, low: number, isExpired: IsExpired): void {
    this.#key = undefined
    if (2 ** segment.depth === this.#directory.length)
      this.#directory = this.#directory.flatMap((entry) => [entry, entry])
    const size = this.#directory.length
    const depth = segment.depth + 1
    const halves = [
      new Segment(MAX_CAPACITY, this.#width, depth),
      new Segment(MAX_CAPACITY, this.#width, depth),
    ] as const
    const span = size / 2 ** depth
    const first = toIndex(low, size) - (toIndex(low, size) % (2 * span))
    segment.copyTo((hash) => halves[toIndex(hash, size) - first < span ? 0 : 1], isExpired)
    this.#size += halves[0].count + halves[1].count - segment.count
    this.#directory.fill(halves[0], first, first + span).fill(halves[1], first + span, first + 2 * span)
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

  /** Writes the numbers in a slot. */
  write(slot: number, state: CounterState): void {
    const start = slot * this.#stride + 1
    for (let index = 0; index < this.#width; index++) this.#words[start + index] = state[index] ?? 0
  }

  /** Adds a key that `find` has missed, and returns its slot. */
  insert(missed: number, high: number, low: number, state: CounterState): number {
    const slot = -missed - 1
    this.#tags[slot * this.#stride * 2] = high
    this.#tags[slot * this.#stride * 2 + 1] = low
    this.count++
    this.write(slot, state)
    return slot
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
      target.insert(target.find(high, low), high, low, state)
    }
  }

  /** Returns the number of states that have not expired. */
  countLive(isExpired: IsExpired): number {
    let live = 0
    for (let slot = 0; slot < this.capacity; slot++) if (this.holds(slot) && !isExpired(this.read(slot))) live++
    return live
  }
}

/** Returns the top bits of a hash as an index into a directory, whose size is a power of two. */
function toIndex(low: number, size: number): number {
  return Math.floor((low >>> 0) / (2 ** 32 / size))
}

function computeCapacity(live: number): number {
  let capacity = MIN_CAPACITY
  while (capacity * 0.6 < live && capacity < MAX_CAPACITY) capacity *= 2
  return capacity
}
