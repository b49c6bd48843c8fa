import { acceptBody, mediaType, notAcceptable, type Offers, offers } from '@svc/negotiate'
import type { RequestVersion, VersionedOffer, Versioning } from '@svc/versioning'
import type { Middleware } from '../../../../packages/internal/middleware.ts'
import { exchangeOf } from '../exchange.ts'
import { typesFor } from '../representations/formats.ts'
import type { Action } from '../resource/route.ts'

interface Compiled {
  offers: Offers
  formats: ReadonlyMap<string, string>
  /** Types of the request's body. */
  takes: readonly string[]
}

const MAX_COMPILED = 512

/** Chooses the representation (406), and checks what the fields say about the body (411, 413, 415). */
export function negotiate(versions: Versioning): Middleware {
  const compiled = new Map<string, Compiled>()
  const compiledFor = (action: Action, version: RequestVersion): Compiled => {
    const key = `${action.kind} ${action.record ?? ''} ${version.version} ${version.mediaType ?? ''} ${action.accepts.join()}`
    let found = compiled.get(key)
    if (!found) {
      found = compile(
        versions.offersFor(version, typesFor(action.kind, action.record)),
        versions.offersFor(version, action.accepts),
      )
      // The client names the vendor type: only so many are kept.
      if (compiled.size < MAX_COMPILED) compiled.set(key, found)
    }
    return found
  }
  return (req, _res, next) => {
    const exchange = exchangeOf(req)
    const version = versions.versionOf(req)
    const action = exchange.match?.action
    if (!action || !version || action.kind === 'none') return next()
    const { offers, formats, takes } = compiledFor(action, version)
    const type = mediaType(req, offers)
    if (type === undefined) return next(notAcceptable(offers))
    exchange.chosen = { type, format: formats.get(type) ?? type }
    next(action.accepts.length > 0 ? acceptBody(req, { types: takes }) : undefined)
  }
}

function compile(produced: readonly VersionedOffer[], taken: readonly VersionedOffer[]): Compiled {
  return {
    offers: offers(produced.map(({ type }) => type)),
    formats: new Map(produced.map(({ type, format }) => [type, format])),
    takes: taken.map(({ type }) => type),
  }
}
