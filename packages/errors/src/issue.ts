/** An issue of Standard Schema. */
export interface Issue {
  /** Human-readable description. */
  readonly message: string
  /** The keys of the value; absent for the whole. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
  /** A code in UPPER_SNAKE case is used unchanged; any other is that of the library. */
  readonly code?: string | undefined
}
