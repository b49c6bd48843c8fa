import { guard } from '../../internal/guard.ts'
import type { IncomingMessage, Middleware, ServerResponse } from '../../internal/middleware.ts'
import { refuseUnknown, shown } from '../../internal/options.ts'
import { type OnRefused, refuse } from '../../internal/refuse.ts'
import { CODINGS, type Coding } from './coding.ts'
import { MIN_BYTES } from './coding-for.ts'
import { isCompressible } from './compressible.ts'
import type { ResourceState } from './evaluate-preconditions.ts'
import { notAcceptable } from './not-acceptable.ts'
import { deciderOf, offers } from './offers.ts'
import { type OutgoingSettings, tapResponse } from './outgoing.ts'
import { preconditions } from './preconditions.ts'

/** What `negotiate` takes: codings, validators, conditions. */
export interface NegotiateOptions {
  /** Content codings in the order of preference; `[]`: nothing is compressed. @defaultValue br, zstd, gzip, deflate, as far as this Node has them */
  codings?: readonly Coding[]
  /** Bytes from which a body is compressed. @defaultValue 1024 */
  minBytes?: number
  /** Which media types become smaller. @defaultValue text, JSON, XML, JavaScript, SVG, WebAssembly, fonts */
  compressible?: (type: string) => boolean
  /** The kind of entity tag for bodies that the app sends at once without a tag of its own; `false`: none. @defaultValue 'strong' */
  etag?: 'strong' | 'weak' | false
  /** Whether the conditions of GET, HEAD and QUERY are answered (304, 412). @defaultValue true */
  conditional?: boolean
  /**
   * Tells the current state of the resource that a POST, PUT, PATCH or DELETE is about; with it `If-Match`,
   * `If-None-Match` and `If-Unmodified-Since` are checked before the handler runs. `null`: there is no such resource.
   * `undefined`: nothing is known, nothing is checked. A throw or a rejection goes to `next`.
   */
  currentState?: (req: IncomingMessage) => ResourceState | null | undefined | Promise<ResourceState | null | undefined>
  /** Refuses a change of an existing resource without `If-Match` or `If-Unmodified-Since` with 428. @defaultValue false */
  requirePrecondition?: boolean
  /** Who answers a refusal. @defaultValue the app's error handling where there is one, else a JSON Error record */
  onRefused?: OnRefused
}

const KNOWN_CODINGS: readonly string[] = ['br', 'zstd', 'gzip', 'deflate']
const KNOWN = ['codings', 'minBytes', 'compressible', 'etag', 'conditional', 'currentState', 'requirePrecondition']

/**
 * Makes the responses of an ordinary app right: entity tags, 304, `Vary`, content codings, the same fields for HEAD;
 * with `currentState` also 412 and 428 for changes. Put it before everything that answers.
 */
export function negotiate(options: NegotiateOptions = {}): Middleware {
  const settings = settingsOf(options)
  const { currentState, requirePrecondition = false, onRefused } = options
  const decideCoding = deciderOf('encoding', offers(settings.codings))
  const isCoding = settings.codings.length > 0
  return function negotiation(req, res, next) {
    const codings = decideCoding(req.headers['accept-encoding'])
    if (isCoding && codings.best === undefined) {
      const error = notAcceptable([...settings.codings, 'identity'], { vary: ['Accept-Encoding'] })
      return refuse(error, req, res, next, onRefused)
    }
    const go = (): void => {
      tapResponse({ req, res, settings, codings })
      next()
    }
    if (!currentState || isSafe(req.method)) return go()
    const check = (state: ResourceState | null | undefined): void => {
      const options = { require: requirePrecondition }
      const refused = state === undefined ? undefined : preconditions(req, state ?? undefined, options)
      if (refused) refuse(refused, req, res, next, onRefused)
      else go()
    }
    guard(() => currentState(req), check, next)
  }
}

function isSafe(method: string | undefined): boolean {
  return method !== 'POST' && method !== 'PUT' && method !== 'PATCH' && method !== 'DELETE'
}

function settingsOf(options: NegotiateOptions): OutgoingSettings {
  refuseUnknown('negotiate', options, [...KNOWN, 'onRefused'])
  const { codings = CODINGS, minBytes = MIN_BYTES, compressible = isCompressible } = options
  const { etag = 'strong', conditional = true, requirePrecondition, currentState } = options
  for (const coding of codings)
    if (!KNOWN_CODINGS.includes(coding))
      throw new TypeError(`negotiate: codings must be among ${KNOWN_CODINGS.join(', ')}, got ${shown(coding)}`)
  if (!Number.isInteger(minBytes) || minBytes < 0)
    throw new TypeError(`negotiate: minBytes must be a whole number from 0, got ${shown(minBytes)}`)
  if (typeof compressible !== 'function')
    throw new TypeError(`negotiate: compressible must be a function, got ${shown(compressible)}`)
  if (etag !== false && etag !== 'strong' && etag !== 'weak')
    throw new TypeError(`negotiate: etag must be 'strong', 'weak' or false, got ${shown(etag)}`)
  if (requirePrecondition && !currentState)
    throw new TypeError('negotiate: requirePrecondition needs currentState, which tells whether the resource exists')
  // What this Node lacks is left out: the same options hold on all of them.
  const isTypeCompressible = (_req: IncomingMessage, res: ServerResponse): boolean => {
    const type = res.getHeader('Content-Type')
    return type !== undefined && compressible(String(type))
  }
  const known = codings.filter((coding) => CODINGS.includes(coding))
  return { codings: known, minBytes, compressible: isTypeCompressible, etag, conditional }
}
