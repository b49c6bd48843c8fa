import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BodyHeaderRules, Representation } from '@svc/negotiate'
import type { PreparedRepresentation } from '@svc/negotiate/prepared'
import type { SoapResponse } from '@svc/soap-envelope'
import type { RequestVersion } from '@svc/versioning'
import type { Changes } from '../database/connection.ts'
import type { MaybePromise } from '../database/maybe-promise.ts'
import type { Caller } from '../security/caller.ts'
import type { TokenFacts } from '../security/verify-token.ts'
import type { CacheClass } from './define.ts'
import type { RouteMatch } from './route.ts'

const STATE = Symbol.for('svc.reference-server.request-state')
const CORRELATION_ID = /^[A-Za-z0-9._:-]{1,128}$/

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({})

/** The media type that was chosen, and the format that encodes it. */
export interface Negotiated {
  readonly type: string
  readonly format: string
}

/**
 * State that depends only on the method, the target and the media types of a request. Requests for
 * the items of a collection share one: their targets differ only in the id.
 */
export interface KnownRequest {
  /** Distinguishes it from all others. */
  readonly number: number
  /** Length of the version at the beginning of the target. */
  readonly versionLength: number
  readonly version: RequestVersion | undefined
  readonly versionHeaders: Readonly<Record<string, string>>
  readonly match: RouteMatch | undefined
  /** Rules of the request body; `undefined` if its action takes none. */
  bodyRules: BodyHeaderRules | undefined
  negotiated: Negotiated | undefined
  /** A representation whose headers those of other items share, for callers or for everyone. */
  sample:
    | { readonly cache: CacheClass; readonly isOpen: boolean; readonly prepared: PreparedRepresentation }
    | undefined
}

/** A request that knows in which poll of the event loop it arrived, see `RequestState`. */
export interface PolledMessage extends IncomingMessage {
  poll?: number | undefined
}

/** A request as Express passes it on. */
interface StatefulMessage extends PolledMessage {
  originalUrl?: string
  [STATE]?: RequestState
}

/**
 * State of a request that the stages share. The constructor sets every property, so that V8 gives
 * all states one hidden class; an initializer of a field would set it twice. It attaches the state
 * to the request for `requestStateOf()`.
 */
export class RequestState {
  declare readonly req: IncomingMessage
  declare readonly res: ServerResponse
  declare readonly method: string
  /**
   * The poll of the event loop in which the request arrived; `undefined` if it may be later than
   * the poll.
   */
  declare readonly poll: number | undefined
  declare readonly correlationId: string
  /** `performance.now()` of the first stage. */
  declare readonly startedAt: number
  /** The target as the client sent it, with the version. */
  declare readonly target: string
  /** Path without the version. */
  declare path: string
  /** The query, without its question mark. */
  declare readonly search: string
  /** Headers of every response of the service. */
  declare common: Readonly<Record<string, string>>
  /** Headers of every response of the API version. */
  declare versionHeaders: Readonly<Record<string, string>>
  /** Headers of every response to this request: stages add theirs. */
  declare readonly added: Record<string, string>
  /** Result of earlier requests like this one. */
  declare known: KnownRequest | undefined
  /** The id in the target, if `known` is shared by the items of a collection; else empty. */
  declare id: string
  declare version: RequestVersion | undefined
  declare match: RouteMatch | undefined
  declare caller: Caller | undefined
  /** The changes of the database when a stage asked for them; `undefined` if they are not known. */
  declare changes: Changes | undefined
  /** Why the token was rejected, for the log. */
  declare rejection: TokenFacts | undefined
  declare negotiated: Negotiated | undefined

  constructor(req: StatefulMessage, res: ServerResponse, headers: Readonly<Record<string, string>>) {
    const { url = '/', originalUrl = url, poll } = req
    const correlationId = req.headers['x-correlation-id']
    const question = url.indexOf('?')
    this.req = req
    this.res = res
    this.method = req.method ?? 'GET'
    this.poll = poll
    this.correlationId =
      typeof correlationId === 'string' && CORRELATION_ID.test(correlationId) ? correlationId : randomUUID()
    this.startedAt = performance.now()
    this.target = originalUrl
    this.path = question === -1 ? url : url.slice(0, question)
    this.search = question === -1 ? '' : url.slice(question + 1)
    this.common = headers
    this.versionHeaders = NO_HEADERS
    this.added = { 'X-Correlation-ID': this.correlationId }
    this.known = undefined
    this.id = ''
    this.version = undefined
    this.match = undefined
    this.caller = undefined
    this.changes = undefined
    this.rejection = undefined
    this.negotiated = undefined
    req[STATE] = this
  }

  /** Path as the client sent it, with the version. */
  get targetPath(): string {
    const question = this.target.indexOf('?')
    return question === -1 ? this.target : this.target.slice(0, question)
  }

  /** Headers of every response to this request. */
  get headers(): Record<string, string> {
    return { ...this.common, ...this.versionHeaders, ...this.added }
  }

  /** The same, in parts: later ones override earlier ones. */
  get headerParts(): readonly Record<string, string>[] {
    return [this.common, this.versionHeaders, this.added]
  }
}

/** Returns the state of a request, for functions that are called with the request only. */
export function requestStateOf(req: object): RequestState {
  const state = (req as { [STATE]?: RequestState })[STATE]
  if (!state) throw new Error('the request has not entered the pipeline')
  return state
}

/**
 * A response as a value: content that is negotiated, revalidated and compressed when it is sent,
 * content that was prepared before with the headers of the service and of its version, a head
 * without content, the response of a SOAP service, or the error that rejects the request. Each gets
 * the headers of the request state.
 */
export type Reply =
  | { readonly representation: Representation }
  | { readonly prepared: PreparedRepresentation }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly soap: SoapResponse }
  | { readonly error: unknown }

/**
 * One step of a request. It returns a reply to respond, or nothing to continue with the next stage.
 * To reject the request it throws, or returns the error, which costs V8 less. It returns a promise
 * only if it waits.
 */
export type Stage = (state: RequestState) => MaybePromise<Reply | undefined>
