import { inspectValue } from './options.ts'

/** A fact about a request that one package sets and others may read. */
export interface RequestFact<T> {
  get(req: object): T | undefined
  set(req: object, value: T): void
}

/**
 * Creates the accessor of a fact under a global symbol, `Symbol.for('svc.<name>')`, so that the ESM
 * and CommonJS builds share it. The name begins with the package. All accessors are the same code
 * for V8: what reads a fact for each request reads it by the symbol itself, which V8 caches.
 */
export function requestFact<T>(key: symbol): RequestFact<T> {
  return {
    get: (req) => {
      if (typeof req !== 'object' || req === null)
        throw new TypeError(`${key.description?.slice(4)}: req must be a request, got ${inspectValue(req)}`)
      return (req as Record<symbol, T | undefined>)[key]
    },
    set: (req, value) => {
      ;(req as Record<symbol, T>)[key] = value
    },
  }
}
