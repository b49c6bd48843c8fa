import type { Readable } from 'node:stream'

/** The content of a representation. A stream is sent as it comes, without a length. */
export type Body = string | Uint8Array | Readable | undefined

/** What is to be sent. */
export interface Representation {
  /** HTTP status. @defaultValue 200 */
  status?: number | undefined
  /** Fields beyond those that have a member of their own here; a `Vary` is merged. */
  headers?: Readonly<Record<string, string | number | readonly string[]>> | undefined
  /** `Content-Type`. */
  type?: string | undefined
  /** `Content-Language`. */
  language?: string | undefined
  /** The content, or a function that makes it: it is not called where `version` alone shows that 304 is the answer. */
  body?: Body | (() => Body | PromiseLike<Body>)
  /**
   * In place of `type` and `body`: makers of the content by media type, in the order of the server's preference.
   * `Accept` chooses; a client that accepts none gets 406.
   */
  formats?: Readonly<Record<string, () => Body | PromiseLike<Body>>> | undefined
  /**
   * The version behind the entity tag, which becomes `"<version>.<type, language, variant>.<coding>"`, see
   * `versionTag`. @defaultValue the tag is a hash of the body
   */
  version?: string | number | bigint | undefined
  /** What tells this representation from others of the same type and language, such as an API version. */
  variant?: string | undefined
  /** An entity tag of your own, in quotes; `false`: none. @defaultValue made of `version`, else of the body */
  etag?: string | false | undefined
  /** Time of the last change, a `Date` or milliseconds: `Last-Modified`, and for `If-Modified-Since`. */
  lastModified?: Date | number | undefined
  /** Request fields that were used to choose this representation; `Accept-Encoding` is added. */
  vary?: readonly string[] | undefined
  /** `Cache-Control`. */
  cacheControl?: string | undefined
  /** `false`: the body is never compressed, as where it mirrors input next to a secret. @defaultValue by its type */
  compress?: boolean | undefined
}
