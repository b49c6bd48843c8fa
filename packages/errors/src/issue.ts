/** An issue of a validation, in the format of Standard Schema. */
export interface Issue {
  /** Human-readable description. */
  readonly message: string
  /** The keys that lead to the value; absent for the whole input. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
  /**
   * A code in UPPER_SNAKE case is used unchanged; any other is mapped by the rules of the library.
   */
  readonly code?: string | undefined
}
