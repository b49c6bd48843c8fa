import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingMessage } from '../../internal/middleware.ts'
import type { OnRefused } from '../../internal/refuse.ts'
import type { VersionScheme } from './version.ts'

/** Reads the version from a custom part of the request. */
export interface VersionReader {
  /** Name of the source in `versionOf(req)` and in messages. */
  name: string
  /**
   * Called once for each request. Returns the version that the request names, or `undefined`. A
   * throw or a rejection goes to `next`.
   */
  read(req: IncomingMessage): MaybePromise<string | undefined>
  /** Request headers that it reads, for `Vary`. */
  vary?: readonly string[]
}

/** A part of the request that can name a version. */
export type VersionSourceOption =
  | 'path'
  | 'API-Version'
  | 'Accept-Version'
  | 'media-type'
  | { query: string }
  | { header: string }
  | VersionReader

/** The lifecycle of a deprecated version. */
export interface VersionLifecycle<V extends string = string> {
  /**
   * Time of deprecation: `Deprecation` (RFC 9745), as a `Date` or milliseconds since 1970. Without
   * it the version is not reported as deprecated, but `Sunset` and the links are sent.
   */
  since?: Date | number
  /**
   * Time of removal: `Sunset` (RFC 8594), as a `Date` or milliseconds since 1970. Must not be
   * before `since`.
   */
  sunset?: Date | number
  /** URL of a page about the deprecation: `Link` with `rel="deprecation"`. */
  docsUrl?: string
  /** URL of a page about the sunset: `Link` with `rel="sunset"`. */
  sunsetDocsUrl?: string
  /** The version to migrate to. @defaultValue the next one */
  successor?: V
  /**
   * Announced periods in which the version returns 410, so that remaining clients notice. Times are
   * a `Date` or milliseconds since 1970.
   */
  brownouts?: readonly { from: Date | number; until: Date | number }[]
}

/** A version that is no longer supported. Clients get 410. */
export interface RetiredVersion<V extends string = string> {
  /** The version to migrate to. @defaultValue the next supported one */
  successor?: V
  /** URL of a page about the retirement: `Link` with `rel="deprecation"`. */
  docsUrl?: string
}

/** Options for `versioning()`. */
export interface VersioningOptions<V extends string = string> {
  /** The supported versions, in any order. The compiler checks version names against these. */
  versions: readonly V[]
  /**
   * The version for requests that name none; `'required'` rejects them with 400.
   * @defaultValue 'lowest'
   */
  default?: NoInfer<V> | 'required' | 'lowest' | 'latest'
  /**
   * Format of version names: `2` (integer); `2026-01-31` (date), where a date in between selects
   * the previous version; `1.4.0` (semver), where `1` selects the newest 1.x.
   * @defaultValue 'integer'
   */
  scheme?: VersionScheme
  /**
   * The parts of a request that can name a version.
   * @defaultValue path, both headers, and the media type with `vendor`
   */
  sources?: readonly VersionSourceOption[]
  /**
   * The vendor of `application/vnd.<vendor>.v2+json`. Without it, media types do not name versions.
   */
  vendor?: string
  /** Prefix of the version in a path. @defaultValue 'v' */
  pathPrefix?: string
  /** Mount path of the API, such as `/api`, for links to other versions. @defaultValue '' */
  basePath?: string
  /**
   * Deprecated versions by name, with `since`, `sunset` (times), `docsUrl`, `sunsetDocsUrl`,
   * `successor` and `brownouts: [{ from, until }]`.
   */
  deprecated?: { readonly [Name in NoInfer<V>]?: VersionLifecycle<NoInfer<V>> }
  /** Retired versions by name, with `successor` and `docsUrl`. Clients get 410 and a link. */
  retired?: Readonly<Record<string, RetiredVersion<NoInfer<V>>>>
  /**
   * Whether a version returns 410 after its sunset. List it in `retired` with the next release.
   * @defaultValue false
   */
  enforceSunset?: boolean
  /**
   * Headers of every response: `'all'`, `'minimal'` (without `API-Supported-Versions` and
   * `API-Deprecated-Versions`), or `'none'` for services that get them from `api.headersFor(req)`.
   * @defaultValue 'all'
   */
  headers?: 'all' | 'minimal' | 'none'
  /**
   * Whether a JSON or XML response gets the vendor type that the client requested.
   * @defaultValue true
   */
  setContentType?: boolean
  /**
   * Response to a rejected request: `'next'`, `'json'`, or a function. @defaultValue 'next' with an
   * error handler, otherwise 'json'
   */
  onRefused?: OnRefused
  /**
   * Returns the current time in milliseconds since 1970, for brownouts and sunsets. @defaultValue
   * Date.now
   */
  now?: () => number
}
