import type { ServerResponse } from 'node:http'

/**
 * Responses that are being worked on. A Set would keep each of them alive until a full garbage
 * collection: V8 chains the tables that a Set outgrows, and the oldest one holds the rest.
 */
export class InFlight {
  readonly #responses: ServerResponse[] = []

  get size(): number {
    return this.#responses.length
  }

  add(res: ServerResponse): void {
    this.#responses.push(res)
  }

  delete(res: ServerResponse): void {
    const index = this.#responses.indexOf(res)
    if (index === -1) return
    const last = this.#responses.pop()
    if (last && last !== res) this.#responses[index] = last
  }

  [Symbol.iterator](): IterableIterator<ServerResponse> {
    return this.#responses.values()
  }
}
