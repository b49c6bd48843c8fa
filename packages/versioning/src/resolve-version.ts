import { memoize } from '../../internal/memoize.ts'
import { type ApiVersion, type ApiVersions, intersect, type VersionMatch } from './api-versions.ts'
import { readAccept, readContentType, type VersionedAccept } from './media.ts'
import { findSegment } from './path.ts'
import { findParameters } from './query.ts'
import { readNames, readRanges } from './read.ts'
import {
  createConflictError,
  createMissingError,
  createSourceError,
  type SourceProblem,
  type VersionError,
  type VersionSource,
} from './version-error.ts'

/** The parts of a request that may name a version. Absent ones are omitted or `undefined`. */
export interface VersionCandidates {
  /** The request target; a query after it is ignored. */
  path?: string | undefined
  /** The header API-Version. */
  apiVersion?: string | undefined
  /** The header Accept-Version. */
  acceptVersion?: string | undefined
  /** The header Accept. */
  accept?: string | undefined
  /** The header Content-Type. */
  contentType?: string | undefined
  /** The query without its question mark. */
  query?: string | undefined
  /** The name of each custom reader and its result. */
  custom?: readonly (readonly [source: string, text: string])[] | undefined
}

/** The version of a request, and the source that named it. */
export interface RequestVersion<V extends string = string> {
  /** The version to serve. */
  version: V
  /** The source that named it. */
  source: VersionSource
  /**
   * The version segment of the path as the client wrote it, with its slash: `/v1`. Empty without
   * one.
   */
  prefix: string
  /** The query parameter as the client wrote it: `api-version=2`. */
  query?: string
  /**
   * The vendor type that the client requested, for the Content-Type of the response:
   * `application/vnd.svc.v2+json`.
   */
  mediaType?: string
  /** Whether the version has a date of deprecation. */
  deprecated: boolean
}

/** A version or an error; only an error has a `status`. */
export type VersionDecision<V extends string = string> = RequestVersion<V> | VersionError

/** The enabled sources, and the version of a request that names none. */
export interface ResolverOptions<V extends string = string> {
  apiVersions: ApiVersions<V>
  fallback: ApiVersion<V> | undefined
  /** Prefix of the number in a path; `undefined` if paths have no version. */
  pathPrefix: string | undefined
  apiVersion: boolean
  acceptVersion: boolean
  vendor: string | undefined
  queryName: string | undefined
  isDeprecated(version: string): boolean
  /** The value of `Link` that goes with the error of a retired version. */
  links: ReadonlyMap<string, string>
}

/** Creates the function that selects the version of a request. It is pure and never throws. */
export function createResolver<V extends string>(
  rules: ResolverOptions<V>,
): (candidates: VersionCandidates) => VersionDecision<V> {
  const { apiVersions, pathPrefix, vendor, queryName } = rules
  const names = memoize((text: string) => readNames(text, apiVersions))
  const ranges = memoize((text: string) => readRanges(text, apiVersions))
  const accepts = memoize((text: string) => readAccept(text, vendor ?? '', apiVersions))
  const contents = memoize((text: string) => readContentType(text, vendor ?? '', apiVersions))
  // Most requests name no version: one frozen object serves them all.
  const unversioned: VersionDecision<V> = rules.fallback
    ? Object.freeze(createChoice(rules.fallback, 'default', rules))
    : createMissingError(apiVersions)

  return ({ path, apiVersion, acceptVersion, accept, contentType, query, custom }) => {
    let pin: Pin<V> | undefined
    const segment = path === undefined || pathPrefix === undefined ? undefined : findSegment(path, pathPrefix)
    if (segment) pin = narrow(pin, 'path', names(segment.segment.slice(pathPrefix?.length)))
    if (rules.apiVersion && apiVersion !== undefined) pin = narrow(pin, 'API-Version', names(apiVersion))
    if (rules.acceptVersion && acceptVersion !== undefined) pin = narrow(pin, 'Accept-Version', ranges(acceptVersion))
    const parameters = query && queryName !== undefined ? findParameters(query, queryName) : []
    for (const { value } of parameters) pin = narrow(pin, 'query', names(value))
    if (custom) for (const [source, text] of custom) pin = narrow(pin, source, names(text))
    const content = vendor === undefined || contentType === undefined ? undefined : contents(contentType)
    if (content) pin = narrow(pin, 'Content-Type', content)
    const asked = vendor === undefined || accept === undefined ? undefined : accepts(accept)

    if (!pin && !asked) return unversioned
    if (pin?.problem) return refuse(pin, pin.problem, rules)
    const choice = settle(pin, asked, rules)
    if ('status' in choice) return choice
    if (segment) choice.prefix = `/${segment.segment}`
    if (parameters[0]) choice.query = parameters[0].text
    return choice
  }
}

/** The versions that all sources so far have in common. */
interface Pin<V extends string> {
  versions: readonly ApiVersion<V>[]
  sources: readonly VersionSource[]
  problem?: SourceProblem | 'conflict'
}

function narrow<V extends string>(pin: Pin<V> | undefined, source: VersionSource, wanted: VersionMatch<V>): Pin<V> {
  if (pin?.problem) return pin
  if (typeof wanted === 'string') return { versions: [], sources: [source], problem: wanted }
  if (wanted.length === 0) return { versions: [], sources: [source], problem: 'unsupported' }
  if (isRetired(wanted)) return { versions: wanted, sources: [source], problem: 'retired' }
  if (!pin) return { versions: wanted, sources: [source] }
  const versions = intersect(pin.versions, wanted)
  const sources = [...pin.sources, source]
  return isRetired(versions) ? { versions, sources, problem: 'conflict' } : { versions, sources }
}

function refuse(
  { sources, versions }: Pin<string>,
  problem: SourceProblem | 'conflict',
  { apiVersions, links }: Pick<ResolverOptions, 'apiVersions' | 'links'>,
): VersionError {
  if (problem === 'conflict') return createConflictError(sources, apiVersions)
  const error = createSourceError(sources[0] ?? '', problem, apiVersions)
  const link = links.get(versions.at(-1)?.name ?? '')
  return problem === 'retired' && link !== undefined ? { ...error, headers: { Link: link } } : error
}

function settle<V extends string>(
  pin: Pin<V> | undefined,
  asked: VersionedAccept<V> | undefined,
  rules: ResolverOptions<V>,
): VersionDecision<V> {
  const { apiVersions, fallback } = rules
  const candidates = pin?.versions ?? apiVersions.supported
  const source = getSource(pin)
  if (asked) {
    for (const { mediaType, quality, versions } of asked.vendor) {
      const version = newest(intersect(candidates, versions))
      // A plain type that the client prefers selects the pinned version, or the default.
      if (!version || (quality < asked.plainQuality && (pin || fallback))) continue
      return { ...createChoice(version, pin ? source : 'media-type', rules), mediaType }
    }
    if (asked.plainQuality === 0) {
      if (pin) return createConflictError([...pin.sources, 'Accept'], apiVersions)
      const cause = asked.vendor.some(({ versions }) => versions.length > 0) ? 'retired' : 'unsupported'
      return createSourceError('Accept', cause, apiVersions)
    }
  }
  const version = pin ? newest(pin.versions) : fallback
  return version ? createChoice(version, source, rules) : createMissingError(apiVersions)
}

function createChoice<V extends string>(
  { name }: ApiVersion<V>,
  source: VersionSource,
  { isDeprecated }: Pick<ResolverOptions, 'isDeprecated'>,
): RequestVersion<V> {
  return { version: name, source, prefix: '', deprecated: isDeprecated(name) }
}

function getSource(pin: Pin<string> | undefined): VersionSource {
  const source = pin?.sources[0] ?? 'default'
  return source === 'Content-Type' ? 'media-type' : source
}

function newest<V extends string>(versions: readonly ApiVersion<V>[]): ApiVersion<V> | undefined {
  return versions.findLast((version) => !version.retired)
}

function isRetired(versions: readonly ApiVersion[]): boolean {
  return versions.every((version) => version.retired)
}
