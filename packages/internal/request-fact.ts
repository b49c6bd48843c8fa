/** Something that one package knows about a request and others may read, kept under `Symbol.for('svc.<name>')`. */
export interface RequestFact<T> {
  get(req: object): T | undefined
  set(req: object, value: T): void
}

/** Names a fact. The symbol is global, so that the ESM and the CJS build of a package share it. */
export function requestFact<T>(name: string): RequestFact<T> {
  const key = Symbol.for(`svc.${name}`)
  return {
    get: (req) => (req as Record<symbol, T | undefined>)[key],
    set: (req, value) => {
      ;(req as Record<symbol, T>)[key] = value
    },
  }
}
