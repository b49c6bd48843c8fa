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
 * it.
 */
export function requestFact<T>(name: string): RequestFact<T> {
  const key = Symbol.for(`svc.${name}`)
  return {
    get: (req) => (req as Record<symbol, T | undefined>)[key],
    set: (req, value) => {
      ;(req as Record<symbol, T>)[key] = value
    },
  }
}
