import type { Readable } from 'node:stream'

/** The content of a representation. A stream is sent as it arrives, without a length. */
export type Body = string | Uint8Array | Readable | undefined

/** The representation for `sendRepresentation()`. */
export interface Representation {
  /** HTTP status. @defaultValue 200 */
  status?: number | undefined
  /** Other response headers, in any case; a `Vary` is merged. Those of the other properties win. */
  headers?: Readonly<Record<string, string | number | readonly string[]>> | undefined
  /** `Content-Type`. */
  type?: string | undefined
  /** `Content-Language`. */
  language?: string | undefined
  /**
   * The content, or a function that creates it. It is not called if `version` already leads to a
   * 304.
   */
  body?: Body | (() => Body | PromiseLike<Body>)
  /**
   * Replaces `type` and `body`: functions that create the content, by media type in the order of
   * the server's preference. `Accept` chooses; a client that accepts none gets 406, or with an
   * error status the first format.
   */
  formats?: Readonly<Record<string, () => Body | PromiseLike<Body>>> | undefined
  /**
   * The version behind the ETag, which becomes `"<version>.<type, language, variant>.<encoding>"`,
   * see `etagFromVersion`.
   * @defaultValue the ETag is a hash of the body
   */
  version?: string | number | bigint | undefined
  /** Distinguishes representations of the same type and language, such as an API version. */
  variant?: string | undefined
  /**
   * A custom ETag, in quotes; `false` for none. With `formats` it gets a suffix for the type:
   * check changes by `version`.
   * @defaultValue from `version`, else from the body
   */
  etag?: string | false | undefined
  /**
   * Time of the last change, a `Date` or milliseconds since 1970: `Last-Modified`, and for
   * `If-Modified-Since`.
   */
  lastModified?: Date | number | undefined
  /** Request headers that chose this representation; `Accept-Encoding` is added. */
  vary?: readonly string[] | undefined
  /** `Cache-Control`. */
  cacheControl?: string | undefined
  /**
   * Whether the body may be compressed; `false` for example if it echoes input next to a secret.
   * @defaultValue by its type
   */
  compress?: boolean | undefined
}
