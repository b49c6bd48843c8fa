/**
 * The reason why a text is not a value of a type. Returned instead of thrown: a union tries several
 * types.
 */
export class Invalid {
  /** Continues a sentence that begins with the path: `is not a long`. */
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}
