import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import type { AlgorithmName } from './algorithm.ts'
import type { HitStore } from './stores/express-rate-limit.ts'

/** A value, or a function of the request that gives it. */
export type PerRequest<T, Req, Res> = T | ((req: Req, res: Res) => MaybePromise<T>)

/** The options of express-rate-limit 8, under their own names and with their own defaults. */
export interface ExpressRateLimitOptions<Req = IncomingMessage, Res = ServerResponse> {
  /** @defaultValue 60000 */
  windowMs?: number
  /** 0 refuses everything. @defaultValue 5 */
  limit?: PerRequest<number, Req, Res>
  /** The older name of `limit`. */
  max?: PerRequest<number, Req, Res>
  /**
   * Body of a refusal: text, or an object that is sent as JSON. @defaultValue 'Too many requests, please try again
   * later.'
   */
  message?: unknown
  /** @defaultValue 429 */
  statusCode?: number
  /** X-RateLimit-*. @defaultValue true */
  legacyHeaders?: boolean
  /** The older name of `legacyHeaders`. */
  headers?: boolean
  /** `true` is `'draft-6'`. @defaultValue false */
  standardHeaders?: boolean | 'draft-6' | 'draft-7' | 'draft-8'
  /** Name of the limit in `draft-8`. @defaultValue the limit and the window, `5-in-1min` */
  identifier?: string
  /** Seconds in Retry-After. @defaultValue until the client may come again */
  retryAfter?: PerRequest<number, Req, Res>
  /** @defaultValue 'rateLimit' */
  requestPropertyName?: string
  /** @defaultValue false */
  skipFailedRequests?: boolean
  /** @defaultValue false */
  skipSuccessfulRequests?: boolean
  /** @defaultValue by address */
  keyGenerator?: (req: Req, res: Res) => MaybePromise<string>
  /** Prefix of IPv6 addresses; `false`: the whole address. @defaultValue 56 */
  ipv6Subnet?: number | false
  /** Answers a refusal. */
  handler?: (req: Req, res: Res, next: (error?: unknown) => void, options: object) => unknown
  /** Whether a request passes without being counted; asked for each request. */
  skip?: (req: Req, res: Res) => MaybePromise<boolean>
  /** @defaultValue status below 400 */
  requestWasSuccessful?: (req: Req, res: Res) => MaybePromise<boolean>
  /** A store for express-rate-limit. @defaultValue in memory, with the algorithm below */
  store?: HitStore
  /** Lets requests on while the store fails; else they get 503. @defaultValue false */
  passOnStoreError?: boolean
  /** `false` shows no warnings. @defaultValue true */
  validate?: boolean | object
  /** Accepted and not used: warnings go to `process.emitWarning`. */
  logger?: object
  /**
   * Not of express-rate-limit: how the memory counts. @defaultValue 'gcra', which has no window edge to double a limit
   * at
   */
  algorithm?: AlgorithmName
}

/** What `req.rateLimit` holds. */
export interface RateLimitInfo {
  /** Requests in a window. */
  limit: number
  /** Requests that were counted, this one included. */
  used: number
  /** Requests that are left, never below 0. */
  remaining: number
  /** When the window ends. */
  resetTime: Date | undefined
  /** What was counted. */
  key: string
}

export const DROP_IN_OPTIONS: readonly (keyof ExpressRateLimitOptions)[] = [
  'windowMs',
  'limit',
  'max',
  'message',
  'statusCode',
  'legacyHeaders',
  'headers',
  'standardHeaders',
  'identifier',
  'retryAfter',
  'requestPropertyName',
  'skipFailedRequests',
  'skipSuccessfulRequests',
  'keyGenerator',
  'ipv6Subnet',
  'handler',
  'skip',
  'requestWasSuccessful',
  'store',
  'passOnStoreError',
  'validate',
  'logger',
  'algorithm',
]
