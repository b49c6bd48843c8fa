/** Why a text is no value of a type. Returned instead of thrown: a union asks several types. */
export class Invalid {
  /** Continues a sentence that begins with the path: `is not a long`. */
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}
