import { assertOneOf } from '../../internal/options.ts'
import { type ApiVersion, type ApiVersions, createApiVersions, versionsIn } from './api-versions.ts'
import { formatChangelog } from './changelog.ts'
import { type Changes, createChanges, type VersionChange } from './changes.ts'
import { checkOptions } from './check-options.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import { createLinks } from './links.ts'
import { mediaTypesFor, type VersionedOffer } from './offers.ts'
import type { VersioningOptions } from './options.ts'
import { requestVersion } from './request.ts'
import { createResolver, type RequestVersion, type VersionCandidates, type VersionDecision } from './resolve-version.ts'
import { createVersionHeaders, type VersionHeaderSet, type VersionHeaders } from './response-headers.ts'
import { parseSources, type Sources } from './sources.ts'

/** The properties of `versioning()` that are the same for all frameworks. */
export interface VersioningApi<V extends string = string> {
  /** The supported versions, oldest first. */
  readonly versions: readonly V[]
  /** The newest version, whose format handlers use. */
  readonly latest: V
  /** Returns the version for the candidates of a request, or an error. Pure, and never throws. */
  resolve(candidates: VersionCandidates): VersionDecision<V>
  /** Returns the version of a request, or `undefined` before the middleware ran. */
  versionOf(req: object): RequestVersion<V> | undefined
  /**
   * Returns the headers for the version of a request, as a frozen object that is created once. For
   * services that write all headers themselves, with `headers: 'none'`. `'minimal'` omits the
   * discovery headers.
   */
  headersFor(req: object, set?: VersionHeaderSet): Readonly<Record<string, string>>
  /**
   * Returns the types to negotiate with for a version: the plain types and its vendor types. Pass
   * the version of the request (`versionOf(req)`), so that the requested vendor type comes first.
   */
  mediaTypesFor(version: V | RequestVersion, plainTypes: readonly string[]): VersionedOffer[]
  /**
   * Returns the supported versions that a key of `route` matches. Throws a `TypeError` if it
   * matches none.
   */
  versionsIn(key: string): readonly string[]
  /**
   * Adds a breaking change that came with a version, so that handlers only use the newest format.
   */
  addChange<Older = unknown, Newer = unknown>(version: V, change: VersionChange<Older, Newer>): void
  /**
   * Converts a request body of an older version to the newest format. Throws the errors of the
   * changes.
   */
  up(version: V, resource: string, body: unknown): unknown
  /** Converts a response body of the newest format to an older version. */
  down(version: V, resource: string, body: unknown): unknown
  /** Returns the changes as Markdown, the newest version first. */
  changelog(): string
}

/** The shared parts of the middleware for all hosts. */
export interface VersioningCore<V extends string = string> {
  apiVersions: ApiVersions<V>
  sources: Sources
  lifecycle: Lifecycle
  headers: Readonly<Record<VersionHeaderSet, VersionHeaders>>
  changes: Changes<V>
  /** Prefix of the version in a path; `undefined` if paths do not name versions. */
  pathPrefix: string | undefined
  api: VersioningApi<V>
}

/** Compiles the options. Throws a `TypeError` if one is not valid. */
export function createCore<const V extends string>(
  options: VersioningOptions<V>,
  onRefusedWords: readonly string[],
): VersioningCore<V> {
  checkOptions(options, onRefusedWords)
  const apiVersions = createApiVersions(
    options.versions,
    Object.keys(options.retired ?? {}),
    options.scheme ?? 'integer',
  )
  const sources = parseSources(options)
  const links = createLinks(options, apiVersions, sources.path)
  const lifecycle = createLifecycle(options, links)
  const pathPrefix = sources.path ? (options.pathPrefix ?? 'v') : undefined
  const resolve = createResolver({
    ...sources,
    apiVersions,
    fallback: resolveFallback(options, apiVersions),
    pathPrefix,
    links,
    isDeprecated: lifecycle.isDeprecated,
  })
  const headers = {
    all: createVersionHeaders(apiVersions, sources, lifecycle, links, 'all'),
    minimal: createVersionHeaders(apiVersions, sources, lifecycle, links, 'minimal'),
  }
  const changes = createChanges(apiVersions)
  const api: VersioningApi<V> = {
    versions: apiVersions.names,
    latest: apiVersions.latest.name,
    resolve,
    versionOf: (req) => requestVersion.get(req) as RequestVersion<V> | undefined,
    headersFor: (req, set = 'all') => headers[set].for(requestVersion.get(req)).record,
    mediaTypesFor: (version, plainTypes) =>
      typeof version === 'string'
        ? mediaTypesFor(plainTypes, sources.vendor, version, undefined)
        : mediaTypesFor(plainTypes, sources.vendor, version.version, version.mediaType),
    versionsIn: (key) => versionsIn(key, apiVersions),
    addChange: changes.add,
    up: (version, resource, body) => changes.between(version, resource).up(body),
    down: (version, resource, body) => changes.between(version, resource).down(body),
    changelog: () => formatChangelog({ apiVersions, deprecated: options.deprecated ?? {}, getChanges: changes.get }),
  }
  return { apiVersions, sources, lifecycle, headers, changes, pathPrefix, api }
}

function resolveFallback<V extends string>(
  options: VersioningOptions<V>,
  { supported, names, latest }: ApiVersions<V>,
): ApiVersion<V> | undefined {
  const { default: name = 'lowest' } = options
  assertOneOf('versioning', 'default', name, ['required', 'lowest', 'latest', ...names])
  if (name === 'required') return undefined
  if (name === 'lowest') return supported[0]
  if (name === 'latest') return latest
  return supported.find((each) => each.name === name)
}
