import { randomInt } from 'node:crypto'

interface Link<T> {
  readonly id: string
  value: T
  /** Absent from nearly all of them, which are smaller for that. */
  readonly next?: Link<T>
}

/**
 * A Map with storage ids as keys. V8 internalizes each string that a `Map` is asked for, which
 * takes longer than to find it: here the keys are hashes, and ids with the same hash are a list.
 */
export class IdMap<T> {
  readonly #links = new Map<number, Link<T>>()
  /** Number of ids. */
  size = 0

  get(id: string): T | undefined {
    return find(this.#links.get(hash(id)), id)?.value
  }

  set(id: string, value: T): void {
    const key = hash(id)
    const next = this.#links.get(key)
    const link = find(next, id)
    if (link) link.value = value
    else {
      this.#links.set(key, next ? { id, value, next } : { id, value })
      this.size++
    }
  }

  delete(id: string): void {
    const key = hash(id)
    let next = this.#links.get(key)
    this.#links.delete(key)
    for (; next; next = next.next) {
      this.size--
      if (next.id !== id) this.set(next.id, next.value)
    }
  }

  *entries(): Generator<[id: string, value: T]> {
    for (const first of this.#links.values())
      for (let link: Link<T> | undefined = first; link; link = link.next) yield [link.id, link.value]
  }
}

function find<T>(first: Link<T> | undefined, id: string): Link<T> | undefined {
  let link = first
  while (link && link.id !== id) link = link.next
  return link
}

// Without a secret, clients could choose keys whose ids have the same hash.
const SEED = randomInt(2 ** 31)
let lastId = ''
let lastHash = SEED

/** FNV-1a. One request looks for the same id several times. */
function hash(id: string): number {
  if (id === lastId) return lastHash
  let value = SEED
  for (let offset = 0; offset < id.length; offset++) value = Math.imul(value ^ id.charCodeAt(offset), 0x01000193)
  lastId = id
  lastHash = value
  return value
}
