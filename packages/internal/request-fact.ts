import { inspectValue } from './options.ts'

/**
 * A fact about a request that one package sets and others may read, under
 * `Symbol.for('svc.<name>')`.
 */
export interface RequestFact<T> {
  get(req: object): T | undefined
  set(req: object, value: T): void
}

/**
 * Creates the accessor of a fact. The symbol is global, so that the ESM and CommonJS builds share
 * it. The name begins with the package.
 */
export function requestFact<T>(name: string): RequestFact<T> {
  const key = Symbol.for(`svc.${name}`)
  return {
    get: (req) => {
      if (typeof req !== 'object' || req === null)
        throw new TypeError(`${name}: req must be a request, got ${inspectValue(req)}`)
      return (req as Record<symbol, T | undefined>)[key]
    },
    set: (req, value) => {
      ;(req as Record<symbol, T>)[key] = value
    },
  }
}
