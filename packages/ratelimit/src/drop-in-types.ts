import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Next } from '../../internal/middleware.ts'
import type { DraftHeaders, DropInLogger, DropInOptions, RateLimitInfo } from './drop-in-options.ts'
import type { DropInRequest, DropInResponse } from './drop-in-request.ts'
import type { HitInfo, HitStore } from './stores/hit-store.ts'

/** The options of express-rate-limit, with their defaults: what `handler` and a store get. */
export type Options<Req = DropInRequest, Res = DropInResponse> = DropInOptions<Req, Res>

/** A store, as express-rate-limit names it. */
export interface Store extends HitStore {
  /** Deletes all counts. */
  resetAll?(): void | PromiseLike<void>
  /** Whether the keys of two instances are separate. */
  localKeys?: boolean
  /** Prefix of the keys. */
  prefix?: string
}

/** Result of a store, as express-rate-limit names it. */
export type ClientRateLimitInfo = HitInfo
/** Result of a store that has counted, as express-rate-limit names it. */
export type IncrementResponse = HitInfo
/** Callback of a store of version 5. */
export type IncrementCallback = (error: Error | undefined, totalHits: number, resetTime: Date | undefined) => void
/** A function of the request that returns the value of an option. */
export type ValueDeterminingMiddleware<T> = (req: DropInRequest, res: DropInResponse) => MaybePromise<T>
/** The type of the option `handler`. */
export type RateLimitExceededEventHandler = (
  req: DropInRequest,
  res: DropInResponse,
  next: Next,
  options: Options,
) => unknown
/** A request with the limit in a property, `rateLimit` by default. */
export type AugmentedRequest = DropInRequest & { [property: string]: RateLimitInfo }
/** Drafts of the standard headers, as express-rate-limit names them. */
export type DraftHeadersVersion = DraftHeaders
/** Value of the option `logger`, as express-rate-limit names it. */
export type Logger = DropInLogger
