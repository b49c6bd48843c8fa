import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { AlgorithmName } from './algorithm.ts'
import type { DropInRequest, DropInResponse } from './drop-in-request.ts'
import type { HitStore, LegacyHitStore } from './stores/hit-store.ts'

/** Drafts of the standard headers that express-rate-limit supports. */
export type DraftHeaders = 'draft-6' | 'draft-7' | 'draft-8'

export const DRAFTS: readonly DraftHeaders[] = ['draft-6', 'draft-7', 'draft-8']

/** A value, or a function of the request that returns it. */
export type PerRequest<T, Req, Res> = T | ((req: Req, res: Res) => MaybePromise<T>)

/** The options of express-rate-limit 8, under their own names and with their own defaults. */
export interface ExpressRateLimitOptions<Req = DropInRequest, Res = DropInResponse> {
  /** Length of a window in milliseconds. @defaultValue 60000 */
  windowMs?: number
  /** Requests per window; 0 rejects everything. @defaultValue 5 */
  limit?: PerRequest<number, Req, Res>
  /** The older name of `limit`. */
  max?: PerRequest<number, Req, Res>
  /**
   * Body of a rejection: text, an object that is sent as JSON, or a function that returns either.
   * @defaultValue 'Too many requests, please try again later.'
   */
  message?: unknown
  /** Status of a rejection. @defaultValue 429 */
  statusCode?: number
  /** Whether to send X-RateLimit-*. @defaultValue true */
  legacyHeaders?: boolean
  /** The older name of `legacyHeaders`. */
  headers?: boolean
  /** Standard headers to send; `true` is `'draft-6'`. @defaultValue false */
  standardHeaders?: boolean | DraftHeaders
  /** Name of the limit in `draft-8`. @defaultValue limit and window, such as `5-in-1min` */
  identifier?: PerRequest<string, Req, Res>
  /** Seconds in Retry-After. @defaultValue until the client may retry */
  retryAfter?: PerRequest<number, Req, Res>
  /** Property of the request that holds the limit. @defaultValue 'rateLimit' */
  requestPropertyName?: string
  /** Whether failed requests are not counted. @defaultValue false */
  skipFailedRequests?: boolean
  /** Whether successful requests are not counted. @defaultValue false */
  skipSuccessfulRequests?: boolean
  /** Returns the key that a request is counted by. @defaultValue its address */
  keyGenerator?: (req: Req, res: Res) => MaybePromise<string>
  /** Prefix length of IPv6 addresses; `false` counts the whole address. @defaultValue 56 */
  ipv6Subnet?: PerRequest<number | false, Req, Res>
  /** Responds to a rejected request. It gets the options with their defaults. */
  handler?: (req: Req, res: Res, next: (error?: unknown) => void, options: DropInOptions<Req, Res>) => unknown
  /** Whether to skip a request: it is not counted. */
  skip?: (req: Req, res: Res) => MaybePromise<boolean>
  /** Whether a request was successful. @defaultValue status below 400 */
  requestWasSuccessful?: (req: Req, res: Res) => MaybePromise<boolean>
  /**
   * A store for express-rate-limit, of any version. @defaultValue in memory, with the algorithm
   * below
   */
  store?: HitStore | LegacyHitStore
  /**
   * Whether requests continue while the store fails; otherwise they get 503. @defaultValue false
   */
  passOnStoreError?: boolean
  /**
   * `false` shows no warnings; an object switches those of `xForwardedForHeader`, `trustProxy` or
   * `default` off. @defaultValue true
   */
  validate?: boolean | Readonly<Record<string, boolean>>
  /** Receives warnings and errors of the store. @defaultValue process.emitWarning */
  logger?: DropInLogger
  /**
   * Not an option of express-rate-limit: how requests are counted in memory. @defaultValue 'gcra',
   * which has no window edge that doubles a limit
   */
  algorithm?: DropInAlgorithm
  /**
   * Not an option of express-rate-limit: maximum time to wait for the store, in milliseconds.
   * @defaultValue 5000
   */
  storeTimeoutMs?: number
}

/** Algorithm of a limit in memory: not `concurrency`, whose leases end with the response. */
export type DropInAlgorithm = Exclude<AlgorithmName, 'concurrency'>

/** The options that have a default which is a value. */
type DefaultedOption =
  | 'windowMs'
  | 'limit'
  | 'message'
  | 'statusCode'
  | 'legacyHeaders'
  | 'standardHeaders'
  | 'requestPropertyName'
  | 'skipFailedRequests'
  | 'skipSuccessfulRequests'
  | 'requestWasSuccessful'
  | 'passOnStoreError'

/** The options with their defaults. */
export type DropInOptions<Req, Res> = ExpressRateLimitOptions<Req, Res> &
  Required<Pick<ExpressRateLimitOptions<Req, Res>, DefaultedOption>>

/** Receives warnings and errors, such as the console. */
export interface DropInLogger {
  /** Receives errors of the store. */
  error(error: unknown, message?: string): void
  /** Receives warnings about options and the environment. */
  warn(error: unknown, message?: string): void
}

/** Value of `req.rateLimit`. */
export interface RateLimitInfo {
  /** Requests per window. */
  limit: number
  /** Requests counted, including this one. */
  used: number
  /** Requests left, never below 0. */
  remaining: number
  /** End of the window. */
  resetTime: Date | undefined
  /** The key that was counted. */
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
  'storeTimeoutMs',
]

/** A second in milliseconds, for `windowMs`. */
export const SECOND = 1000
/** A minute in milliseconds. */
export const MINUTE = 60 * SECOND
/** An hour in milliseconds. */
export const HOUR = 60 * MINUTE
/** A day in milliseconds. */
export const DAY = 24 * HOUR

/** Returns the value of an option for a request, which may be a function. */
export function resolveValue<T, Req, Res>(value: PerRequest<T, Req, Res>, req: Req, res: Res): MaybePromise<T>
export function resolveValue<T, Req, Res>(
  value: PerRequest<T, Req, Res> | undefined,
  req: Req,
  res: Res,
): MaybePromise<T | undefined>
export function resolveValue(value: unknown, req: unknown, res: unknown): unknown {
  return typeof value === 'function' ? value(req, res) : value
}
