import { memoize } from '../../internal/memoize.ts'
import { type ApiVersion, type ApiVersions, intersect, type VersionMatch } from './api-versions.ts'
import { matchNames, matchRanges } from './match-header.ts'
import { parseAccept, parseContentType, type VersionedAccept } from './media.ts'
import { findParameters, findSegment } from './request-target.ts'
import {
  createConflictError,
  createMissingError,
  createSourceError,
  type SourceProblem,
  type VersionError,
  type VersionSource,
} from './version-error.ts'

/** The parts of a request that can name a version. */
export interface VersionCandidates {
  /** The request target. Its query is ignored. */
  path?: string | undefined
  /** The header `API-Version`. */
  apiVersion?: string | undefined
  /** The header `Accept-Version`. */
  acceptVersion?: string | undefined
  /** The header `Accept`. */
  accept?: string | undefined
  /** The header `Content-Type`. */
  contentType?: string | undefined
  /** The query without its question mark. */
  query?: string | undefined
  /** Names and results of custom readers. */
  custom?: readonly (readonly [source: string, text: string])[] | undefined
}

/** The version of a request, and the source that named it. */
export interface RequestVersion<V extends string = string> {
  /** The version for the response. */
  version: V
  /** The source that named the version. */
  source: VersionSource
  /**
   * The version segment of the path as the client wrote it, with its slash: `/v1`. Empty if there
   * is none.
   */
  prefix: string
  /** The query parameter as the client wrote it: `api-version=2`. */
  query?: string
  /**
   * The vendor type that the client requested, for the `Content-Type` of the response:
   * `application/vnd.svc.v2+json`.
   */
  mediaType?: string
  /** Whether the version has a date of deprecation. */
  deprecated: boolean
}

/** A version or an error. Only an error has a `status`. */
export type VersionDecision<V extends string = string> = RequestVersion<V> | VersionError

/** The enabled sources, and the version for requests that name none. */
export interface ResolverOptions<V extends string = string> {
  apiVersions: ApiVersions<V>
  fallback: ApiVersion<V> | undefined
  /** Prefix of the version in a path; `undefined` if paths do not name versions. */
  pathPrefix: string | undefined
  apiVersion: boolean
  acceptVersion: boolean
  vendor: string | undefined
  queryName: string | undefined
  isDeprecated(version: string): boolean
  /** Values of `Link` for the errors of retired versions. */
  links: ReadonlyMap<string, string>
}

/** Creates the function that selects the version of a request. It is pure and never throws. */
export function createResolver<V extends string>(
  options: ResolverOptions<V>,
): (candidates: VersionCandidates) => VersionDecision<V> {
  const { apiVersions, pathPrefix, vendor, queryName } = options
  const names = memoize((text: string) => matchNames(text, apiVersions))
  const ranges = memoize((text: string) => matchRanges(text, apiVersions))
  const accepts = memoize((text: string) => parseAccept(text, vendor ?? '', apiVersions))
  const contents = memoize((text: string) => parseContentType(text, vendor ?? '', apiVersions))
  // Most requests name no version and share this frozen object.
  const unversioned: VersionDecision<V> = options.fallback
    ? Object.freeze(createRequestVersion(options.fallback, 'default', options))
    : createMissingError(apiVersions)

  return ({ path, apiVersion, acceptVersion, accept, contentType, query, custom }) => {
    let selection: VersionSelection<V> | undefined
    const segment = path === undefined || pathPrefix === undefined ? undefined : findSegment(path, pathPrefix)
    if (segment) selection = narrowSelection(selection, 'path', names(segment.segment.slice(pathPrefix?.length)))
    if (options.apiVersion && apiVersion !== undefined)
      selection = narrowSelection(selection, 'API-Version', names(apiVersion))
    if (options.acceptVersion && acceptVersion !== undefined)
      selection = narrowSelection(selection, 'Accept-Version', ranges(acceptVersion))
    const parameters = query && queryName !== undefined ? findParameters(query, queryName) : []
    for (const { value } of parameters) selection = narrowSelection(selection, 'query', names(value))
    if (custom) for (const [source, text] of custom) selection = narrowSelection(selection, source, names(text))
    const content = vendor === undefined || contentType === undefined ? undefined : contents(contentType)
    if (content) selection = narrowSelection(selection, 'Content-Type', content)
    const requested = vendor === undefined || accept === undefined ? undefined : accepts(accept)

    if (!selection && !requested) return unversioned
    if (selection?.problem) return createSelectionError(selection, selection.problem, options)
    const result = selectVersion(selection, requested, options)
    if ('status' in result) return result
    if (segment) result.prefix = `/${segment.segment}`
    if (parameters[0]) result.query = parameters[0].text
    return result
  }
}

/** The versions that all sources so far have in common. */
interface VersionSelection<V extends string> {
  versions: readonly ApiVersion<V>[]
  sources: readonly VersionSource[]
  problem?: SourceProblem | 'conflict'
}

function narrowSelection<V extends string>(
  selection: VersionSelection<V> | undefined,
  source: VersionSource,
  matched: VersionMatch<V>,
): VersionSelection<V> {
  if (selection?.problem) return selection
  if (typeof matched === 'string') return { versions: [], sources: [source], problem: matched }
  if (matched.length === 0) return { versions: [], sources: [source], problem: 'unsupported' }
  if (isRetired(matched)) return { versions: matched, sources: [source], problem: 'retired' }
  if (!selection) return { versions: matched, sources: [source] }
  const versions = intersect(selection.versions, matched)
  // A client can repeat a query parameter thousands of times.
  const sources = selection.sources.includes(source) ? selection.sources : [...selection.sources, source]
  return isRetired(versions) ? { versions, sources, problem: 'conflict' } : { versions, sources }
}

function createSelectionError(
  { sources, versions }: VersionSelection<string>,
  problem: SourceProblem | 'conflict',
  { apiVersions, links }: Pick<ResolverOptions, 'apiVersions' | 'links'>,
): VersionError {
  if (problem === 'conflict') return createConflictError(sources, apiVersions)
  const error = createSourceError(sources[0] ?? '', problem, apiVersions)
  const link = links.get(versions.at(-1)?.name ?? '')
  return problem === 'retired' && link !== undefined ? { ...error, headers: { Link: link } } : error
}

function selectVersion<V extends string>(
  selection: VersionSelection<V> | undefined,
  requested: VersionedAccept<V> | undefined,
  options: ResolverOptions<V>,
): VersionDecision<V> {
  const { apiVersions, fallback } = options
  const candidates = selection?.versions ?? apiVersions.supported
  const source = getSource(selection)
  if (requested) {
    for (const { mediaType, quality, versions } of requested.vendor) {
      const version = findNewest(intersect(candidates, versions))
      // A plain type that the client prefers selects the pinned version, or the default.
      if (!version || (quality < requested.plainQuality && (selection || fallback))) continue
      return { ...createRequestVersion(version, selection ? source : 'media-type', options), mediaType }
    }
    if (requested.plainQuality === 0) {
      if (selection) return createConflictError([...selection.sources, 'Accept'], apiVersions)
      const cause = requested.vendor.some(({ versions }) => versions.length > 0) ? 'retired' : 'unsupported'
      return createSourceError('Accept', cause, apiVersions)
    }
  }
  const version = selection ? findNewest(selection.versions) : fallback
  return version ? createRequestVersion(version, source, options) : createMissingError(apiVersions)
}

function createRequestVersion<V extends string>(
  { name }: ApiVersion<V>,
  source: VersionSource,
  { isDeprecated }: Pick<ResolverOptions, 'isDeprecated'>,
): RequestVersion<V> {
  return { version: name, source, prefix: '', deprecated: isDeprecated(name) }
}

function getSource(selection: VersionSelection<string> | undefined): VersionSource {
  const source = selection?.sources[0] ?? 'default'
  return source === 'Content-Type' ? 'media-type' : source
}

function findNewest<V extends string>(versions: readonly ApiVersion<V>[]): ApiVersion<V> | undefined {
  return versions.findLast((version) => !version.retired)
}

function isRetired(versions: readonly ApiVersion[]): boolean {
  return versions.every((version) => version.retired)
}
