import { randomInt } from 'node:crypto'

interface Link<T> {
  readonly id: string
  value: T
  readonly next: Link<T> | undefined
}

/**
 * A Map with storage ids as keys. V8 internalizes each string that becomes the key of a `Map`,
 * which takes longer than to find it: here the keys are hashes, and ids with the same hash a list.
 */
export class IdMap<T> {
  readonly #links = new Map<number, Link<T>>()

  get(id: string): T | undefined {
    return this.#find(id)?.value
  }

  set(id: string, value: T): void {
    const key = hash(id)
    const link = this.#find(id)
    if (link) link.value = value
    else this.#links.set(key, { id, value, next: this.#links.get(key) })
  }

  delete(id: string): void {
    const key = hash(id)
    let kept: Link<T> | undefined
    for (let link = this.#links.get(key); link; link = link.next) {
      if (link.id !== id) kept = { ...link, next: kept }
    }
    if (kept) this.#links.set(key, kept)
    else this.#links.delete(key)
  }

  *entries(): Generator<[id: string, value: T]> {
    for (const first of this.#links.values())
      for (let link: Link<T> | undefined = first; link; link = link.next) yield [link.id, link.value]
  }

  #find(id: string): Link<T> | undefined {
    let link = this.#links.get(hash(id))
    while (link && link.id !== id) link = link.next
    return link
  }
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
