import type { CounterState } from '../algorithm.ts'
import type { KeyHash } from './key-hash.ts'
import { type IsExpired, Segment } from './segment.ts'
import type { Expiry, Table } from './table.ts'

const MIN_CAPACITY = 16
/** Copying a segment of this size takes about 0.2 ms, the longest pause while the table grows. */
const MAX_CAPACITY = 4096
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
   * Location of the key of the last call, until something moves: most writes follow a read of the
   * same key.
   */
  #key: string | undefined
  #segment: Segment
  #slot = -1
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
    this.#locate(key)
    return this.#slot < 0 ? undefined : this.#segment.read(this.#slot)
  }

  write(key: string, state: CounterState, now: number): void {
    this.#locate(key)
    const { high, low } = this.#hash
    const segment = this.#segment
    if (this.#slot >= 0) {
      segment.write(this.#slot, high, low, state)
      return
    }
    if (segment.isFull) {
      this.#makeRoom(segment, low, (state) => this.#expiry.isExpired(state, now))
      this.write(key, state, now)
      return
    }
    segment.write(this.#slot, high, low, state)
    this.#size++
    this.#key = undefined
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
    if (key === this.#key) return
    const { high, low } = this.#hash
    this.#segment = this.#directory[toIndex(low, this.#directory.length)] as Segment
    this.#slot = this.#segment.find(high, low)
    this.#key = key
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

/** Returns the top bits of a hash as an index into a directory, whose size is a power of two. */
function toIndex(low: number, size: number): number {
  return Math.floor((low >>> 0) / (2 ** 32 / size))
}

function computeCapacity(live: number): number {
  let capacity = MIN_CAPACITY
  while (capacity * 0.6 < live && capacity < MAX_CAPACITY) capacity *= 2
  return capacity
}
