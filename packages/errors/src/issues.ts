/** Where in a request a value stands. */
export type Location = 'body' | 'query' | 'header' | 'path'

/** One thing that is wrong with one value of a request. */
export interface ErrorEntry {
  /** JSON Pointer (RFC 6901) to the value; empty for the whole. */
  pointer: string
  location: Location
  /** The path in the form that people write: `items[0].quantity`. */
  field: string
  /** Stable name of what is wrong: `REQUIRED`, `TYPE`, `FORMAT`, `LENGTH`, `RANGE`, `UNKNOWN`, `INVALID`. */
  code: string
  /** One sentence for people. */
  detail: string
}
