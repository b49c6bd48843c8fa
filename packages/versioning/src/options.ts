import type { IncomingMessage } from '../../internal/middleware.ts'
import type { OnRefused } from '../../internal/refuse.ts'
import type { SchemeName } from './version.ts'

/** Reads the version from a place that only the application knows. */
export interface VersionReader {
  /** The name of the source in facts and messages. */
  name: string
  /**
   * Called once for each request; returns what the request names, or `undefined`. A throw or a rejection reaches
   * `next`.
   */
  read(req: IncomingMessage): string | undefined | PromiseLike<string | undefined>
  /** The request fields that it looks at, for `Vary`. */
  vary?: readonly string[]
}

/** A place of the request that may name a version. */
export type VersionFrom =
  | 'path'
  | 'API-Version'
  | 'Accept-Version'
  | 'media-type'
  | { query: string }
  | { header: string }
  | VersionReader

/** The end of a version, as it is announced. */
export interface VersionLifecycle<V extends string = string> {
  /** When it was or will be deprecated: `Deprecation` (RFC 9745). Left out: the links are sent alone. */
  since?: Date
  /** When it stops being served: `Sunset` (RFC 8594). Must not be before `since`. */
  sunset?: Date
  /** A page for people about the deprecation: `Link` with `rel="deprecation"`. */
  link?: string
  /** A page about the sunset: `Link` with `rel="sunset"`. */
  sunsetLink?: string
  /** The version to go to. @defaultValue the next one */
  successor?: V
  /** Announced times in which it answers 410, so that the last callers notice. */
  brownouts?: readonly { from: Date; until: Date }[]
}

/** A version that is not served any more: its callers get 410. */
export interface RetiredVersion<V extends string = string> {
  /** The version to go to. @defaultValue the oldest one that is served */
  successor?: V
  /** A page for people about what happened: `Link` with `rel="deprecation"`. */
  link?: string
}

/** Options of `versioning`. */
export interface VersioningOptions<V extends string = string> {
  /** What is served, in any order; these names are checked by the compiler everywhere. */
  versions: readonly V[]
  /** What serves a request that names no version; `'required'` refuses it with 400. @defaultValue 'lowest' */
  default?: NoInfer<V> | 'required' | 'lowest' | 'latest'
  /**
   * How versions are named: `2`; `2026-01-31`, which falls to the nearest earlier version; `1.4.0`, where `1` is the
   * newest 1.x. @defaultValue 'integer'
   */
  scheme?: SchemeName
  /** Where a version may be named, see below. @defaultValue path, both headers, and the media type with `vendor` */
  from?: readonly VersionFrom[]
  /** The vendor of `application/vnd.<vendor>.v2+json`; without it media types name no version. */
  vendor?: string
  /** What stands before the number in a path. @defaultValue 'v' */
  pathPrefix?: string
  /** Where the service is mounted, for the links to other versions: `/api`. @defaultValue '' */
  base?: string
  /**
   * Versions on their way out: `since`, `sunset` (dates), `link`, `sunsetLink`, `successor`, `brownouts: [{ from, until
   * }]`.
   */
  deprecated?: { readonly [Name in NoInfer<V>]?: VersionLifecycle<NoInfer<V>> }
  /** Versions that are gone, by their names, with `successor` and `link`: their callers get 410 and a link. */
  retired?: Readonly<Record<string, RetiredVersion<NoInfer<V>>>>
  /** Answers 410 from the sunset of a version on; list it as `retired` with the next release. @defaultValue false */
  enforceSunset?: boolean
  /**
   * The fields that every answer gets: `'all'`, `'none'` (a service that writes its whole head at once takes them
   * from `api.fieldsOf(req)`), or without the discovery fields (`'served'`). @defaultValue 'all'
   */
  fields?: 'all' | 'served' | 'none'
  /** Whether a plain JSON or XML answer to a vendor type gets this type as its Content-Type. @defaultValue true */
  writeMediaType?: boolean
  /** Who answers a refusal. @defaultValue the error handling of the host, else a JSON Error record */
  onRefused?: OnRefused
  /** The time in milliseconds, for brown-outs and sunsets. @defaultValue Date.now */
  now?: () => number
}
