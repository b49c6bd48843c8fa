import { checkBodyHeaders, mediaType, notAcceptable, type Offers, offers } from '@svc/negotiate'
import type { RequestVersion, Versioning } from '@svc/versioning'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { requestStateOf } from '../engine/request-state.ts'
import type { Action } from '../engine/route.ts'
import { typesFor } from '../formats/formats.ts'

interface Compiled {
  offers: Offers
  formats: ReadonlyMap<string, string>
  /** All types that a client may ask for at this path, in any version: what a 406 lists. */
  available: readonly string[]
  /** Types of the request body, in any version that the path accepts. */
  accepts: readonly string[]
}

const MAX_COMPILED = 512

/** Chooses the representation (406), and checks the headers of the body (411, 413, 415). */
export function negotiate(versions: Versioning): Middleware {
  const compiled = new Map<string, Compiled>()
  const getCompiled = (action: Action, version: RequestVersion): Compiled => {
    const isOpen = namesNoVersion(version)
    const produced = typesFor(action.kind, action.record)
    const key = `${action.kind} ${action.record ?? ''} ${version.version} ${version.mediaType ?? ''} ${isOpen} ${action.accepts.join()}`
    let entry = compiled.get(key)
    if (!entry) {
      const others = isOpen ? versions.versions.filter((name) => name !== version.version) : []
      const listTypes = (types: readonly string[]): string[] => {
        const all = [version, ...others].flatMap((each) => versions.mediaTypesFor(each, types).map(({ type }) => type))
        return [...new Set(all)]
      }
      const own = versions.mediaTypesFor(version, produced)
      entry = {
        offers: offers(own.map(({ type }) => type)),
        formats: new Map(own.map(({ type, format }) => [type, format])),
        available: listTypes(produced),
        accepts: listTypes(action.accepts),
      }
      // The client names the vendor type: the number of entries is limited.
      if (compiled.size < MAX_COMPILED) compiled.set(key, entry)
    }
    return entry
  }
  return (req, _res, next) => {
    const state = requestStateOf(req)
    const version = versions.versionOf(req)
    const action = state.match?.action
    if (!action || !version || action.kind === 'none') return next()
    const { offers, formats, available, accepts } = getCompiled(action, version)
    const type = mediaType(req, offers)
    if (type === undefined) return next(notAcceptable(available))
    state.negotiated = { type, format: formats.get(type) ?? type }
    next(action.accepts.length > 0 ? checkBodyHeaders(req, { types: accepts }) : undefined)
  }
}

// Path and headers settle the version. Without them the media types do, so those of every version are accepted.
function namesNoVersion({ source }: RequestVersion): boolean {
  return source === 'default' || source === 'media-type'
}
