import { type BodyHeaderRules, checkBodyHeaders, mediaType, notAcceptable, type Offers, offers } from '@svc/negotiate'
import type { RequestVersion, Versioning } from '@svc/versioning'
import type { Reply, RequestState, Stage } from '../engine/request-state.ts'
import type { Action } from '../engine/route.ts'
import type { Formats } from '../formats/formats.ts'
import { toFailure } from './codes.ts'

interface Compiled {
  offers: Offers
  formats: ReadonlyMap<string, string>
  /** The 406. It lists all types that a client may ask for at this path, in any version. */
  refusal: Reply
  /** Rules of the request body, in any version that the path accepts; `undefined` without one. */
  bodyRules: BodyHeaderRules | undefined
}

/** Vendor types are named by clients: the number of entries is limited. */
const MAX_COMPILED = 16

/** Chooses the representation (406), and checks the headers of the body (411, 413, 415). */
export function selectRepresentation(
  versions: Versioning,
  formats: Pick<Formats, 'typesFor'>,
  publicUrl: string,
): Stage {
  const compiled = new Map<Action, Map<string, Compiled>>()
  const getCompiled = (action: Action, version: RequestVersion): Compiled => {
    const isOpen = namesNoVersion(version)
    const key = `${version.version} ${version.mediaType ?? ''} ${isOpen}`
    const byVersion = compiled.get(action) ?? new Map<string, Compiled>()
    const entry = byVersion.get(key) ?? compile(action, version, isOpen)
    compiled.set(action, byVersion)
    if (byVersion.size < MAX_COMPILED) byVersion.set(key, entry)
    return entry
  }
  const compile = (action: Action, version: RequestVersion, isOpen: boolean): Compiled => {
    const produced = formats.typesFor(action.kind, action.record)
    const others = isOpen ? versions.versions.filter((name) => name !== version.version) : []
    const listTypes = (types: readonly string[]): string[] => {
      const all = [version, ...others].flatMap((each) => versions.mediaTypesFor(each, types).map(({ type }) => type))
      return [...new Set(all)]
    }
    const mediaTypes = versions.mediaTypesFor(version, produced)
    return {
      offers: offers(mediaTypes.map(({ type }) => type)),
      formats: new Map(mediaTypes.map(({ type, format }) => [type, format])),
      refusal: { error: toFailure(notAcceptable(listTypes(produced))) },
      bodyRules: action.accepts.length > 0 ? { types: listTypes(action.accepts) } : undefined,
    }
  }
  return (state) => {
    const { req, match, version, known } = state
    const action = match?.action
    if (!action || !version || action.kind === 'none') return undefined
    if (known?.negotiated) {
      state.negotiated = known.negotiated
      const error = known.bodyRules && checkBodyHeaders(req, known.bodyRules)
      return error && { error }
    }
    const { offers, formats, refusal, bodyRules } = getCompiled(action, version)
    const type = mediaType(req, offers)
    if (type === undefined) return refusal
    const format = formats.get(type) ?? type
    state.negotiated = { type, format }
    const error = bodyRules && checkBodyHeaders(req, bodyRules)
    if (error) return { error }
    if (format === 'text/html') return dropEmptyParameters(state, publicUrl)
    if (known) Object.assign(known, { bodyRules, negotiated: state.negotiated })
    return undefined
  }
}

// Path and headers settle the version. Without them the media types do, so those of every version
// are accepted.
function namesNoVersion({ source }: RequestVersion): boolean {
  return source === 'default' || source === 'media-type'
}

// An empty cursor is the first page.
const EMPTY_PARAMETER = /^(?!cursor=)[^=]*=$|^$/

/**
 * An empty input of a page's form is not a wish for an empty value: redirects to the page without
 * it.
 */
function dropEmptyParameters({ method, search, target }: RequestState, publicUrl: string): Reply | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || search === '') return undefined
  const all = search.split('&')
  const pairs = all.filter((pair) => !EMPTY_PARAMETER.test(pair))
  if (pairs.length === all.length) return undefined
  const path = publicUrl + target.slice(0, target.indexOf('?'))
  const location = pairs.length > 0 ? `${path}?${pairs.join('&')}` : path
  return { status: 302, headers: { Location: location, Vary: 'Accept', 'Cache-Control': 'no-store' } }
}
