import { type Catalogue, intersect, type Known, type Wanted } from './catalogue.ts'
import { readAccept, readContentType, type VersionedAccept } from './media.ts'
import { memo } from './memo.ts'
import { findSegment } from './path.ts'
import { findParameters } from './query.ts'
import { readNames, readRanges } from './read.ts'
import {
  refuseConflict,
  refuseSource,
  refuseUnversioned,
  type SourceProblem,
  type VersionRefusal,
  type VersionSource,
} from './refusal.ts'

/** What of a request may name a version. Absent fields are left out or `undefined`. */
export interface VersionClues {
  /** The request target; a query behind it is not looked at. */
  path?: string | undefined
  /** The field API-Version. */
  apiVersion?: string | undefined
  /** The field Accept-Version. */
  acceptVersion?: string | undefined
  /** The field Accept. */
  accept?: string | undefined
  /** The field Content-Type. */
  contentType?: string | undefined
  /** The query without its question mark. */
  query?: string | undefined
  /** What own readers found: the name of each and its text. */
  custom?: readonly (readonly [source: string, text: string])[] | undefined
}

/** The version that serves a request, and how the request named it. */
export interface RequestVersion<V extends string = string> {
  /** The version that serves the request. */
  version: V
  /** What named it. */
  source: VersionSource
  /** The version segment of the path as the caller wrote it, with its slash: `/v1`. Empty without one. */
  prefix: string
  /** The query parameter as the caller wrote it: `api-version=2`. */
  query?: string
  /** The vendor type that the caller asked for and that the answer is to carry: `application/vnd.svc.v2+json`. */
  mediaType?: string
  /** Whether the version has a date of deprecation. */
  deprecated: boolean
}

/** A choice, or why there is none: only a refusal has a `status`. */
export type VersionDecision<V extends string = string> = RequestVersion<V> | VersionRefusal

/** Which sources are looked at, and what serves a request that names no version. */
export interface ChooseRules<V extends string = string> {
  catalogue: Catalogue<V>
  fallback: Known<V> | undefined
  /** What stands before the number in a path; `undefined`: paths hold no version. */
  pathPrefix: string | undefined
  apiVersion: boolean
  acceptVersion: boolean
  vendor: string | undefined
  queryName: string | undefined
  isDeprecated(version: string): boolean
  /** The value of `Link` that goes with the refusal of a retired version. */
  links: ReadonlyMap<string, string>
}

/** Makes the function that decides which version serves a request. It is pure and never throws. */
export function makeChoose<V extends string>(rules: ChooseRules<V>): (clues: VersionClues) => VersionDecision<V> {
  const { catalogue, pathPrefix, vendor, queryName } = rules
  const names = memo((text) => readNames(text, catalogue))
  const ranges = memo((text) => readRanges(text, catalogue))
  const accepts = memo((text) => readAccept(text, vendor ?? '', catalogue))
  const contents = memo((text) => readContentType(text, vendor ?? '', catalogue))
  // Most requests name no version: one frozen object serves them all.
  const unversioned: VersionDecision<V> = rules.fallback
    ? Object.freeze(choiceOf(rules.fallback, 'default', rules))
    : refuseUnversioned(catalogue)

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

/** What all sources so far agree on. */
interface Pin<V extends string> {
  versions: readonly Known<V>[]
  sources: readonly VersionSource[]
  problem?: SourceProblem | 'conflict'
}

function narrow<V extends string>(pin: Pin<V> | undefined, source: VersionSource, wanted: Wanted<V>): Pin<V> {
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
  { catalogue, links }: Pick<ChooseRules, 'catalogue' | 'links'>,
): VersionRefusal {
  if (problem === 'conflict') return refuseConflict(sources, catalogue)
  const refusal = refuseSource(sources[0] ?? '', problem, catalogue)
  const link = links.get(versions.at(-1)?.name ?? '')
  return problem === 'retired' && link !== undefined ? { ...refusal, headers: { Link: link } } : refusal
}

function settle<V extends string>(
  pin: Pin<V> | undefined,
  asked: VersionedAccept<V> | undefined,
  rules: ChooseRules<V>,
): VersionDecision<V> {
  const { catalogue, fallback } = rules
  const candidates = pin?.versions ?? catalogue.supported
  const source = sourceOf(pin)
  if (asked) {
    for (const { mediaType, quality, versions } of asked.vendor) {
      const version = newest(intersect(candidates, versions))
      // A plain type that the client likes better stands for the pinned version, or for the default.
      if (!version || (quality < asked.plainQuality && (pin || fallback))) continue
      return { ...choiceOf(version, pin ? source : 'media-type', rules), mediaType }
    }
    if (asked.plainQuality === 0) {
      if (pin) return refuseConflict([...pin.sources, 'Accept'], catalogue)
      const cause = asked.vendor.some(({ versions }) => versions.length > 0) ? 'retired' : 'unsupported'
      return refuseSource('Accept', cause, catalogue)
    }
  }
  const version = pin ? newest(pin.versions) : fallback
  return version ? choiceOf(version, source, rules) : refuseUnversioned(catalogue)
}

function choiceOf<V extends string>(
  { name }: Known<V>,
  source: VersionSource,
  { isDeprecated }: Pick<ChooseRules, 'isDeprecated'>,
): RequestVersion<V> {
  return { version: name, source, prefix: '', deprecated: isDeprecated(name) }
}

function sourceOf(pin: Pin<string> | undefined): VersionSource {
  const source = pin?.sources[0] ?? 'default'
  return source === 'Content-Type' ? 'media-type' : source
}

function newest<V extends string>(versions: readonly Known<V>[]): Known<V> | undefined {
  return versions.findLast((version) => !version.retired)
}

function isRetired(versions: readonly Known[]): boolean {
  return versions.every((version) => version.retired)
}
