/**
 * A stream that gives what an iterable gives, one at a time and never ahead of what is asked for.
 */
export function toStream(chunks: Iterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = chunks[Symbol.iterator]()
      return { next: () => new Promise((resolve) => resolve(iterator.next())) }
    },
  }
}
