import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import type { OnRefused } from '../../internal/refuse.ts'
import type { AlgorithmName } from './algorithm.ts'
import type { RateLimitDecision } from './decision.ts'
import type { WarningOptions } from './diagnose.ts'
import type { HeaderStyle } from './headers.ts'
import type { TrustProxy } from './proxies.ts'
import type { Rate, RateText } from './rate.ts'
import type { OnStoreError } from './receipt.ts'
import type { RateLimitStore } from './store.ts'

/** The client that sent a request. */
export interface Client {
  /** IP address of the client, behind the trusted proxies. */
  readonly ip: string
  /** The address itself, or the network of an IPv6 address (`ipv6Subnet`). */
  readonly subnet: string
  /** Name of the authenticated user, as the option `user` returns it. */
  readonly user: string | undefined
}

/**
 * Requests that share a counter. `client`: the user if there is one, otherwise the subnet. `site`:
 * the /48 of an IPv6 address, not counted for IPv4. `global`: all requests.
 */
export type LimitBy = 'client' | 'user' | 'ip' | 'subnet' | 'site' | 'global'

/**
 * Returns the key that a request is counted by; `undefined` if the limit does not count the
 * request.
 */
export type KeyGenerator<Req> = (req: Req, client: Client) => MaybePromise<string | undefined>

/**
 * Returns the rate of a key, such as the plan of a tenant; `undefined` if the key has no limit.
 * `req` is `undefined` when the limiter is used without a request.
 */
export type RateResolver<Req> = (key: string, req: Req | undefined) => MaybePromise<RateText | Rate | undefined>

/** One limit. */
export interface LimitOptions<Req = IncomingMessage> {
  /**
   * Name in the headers and in the decision. @defaultValue 'default'; with several limits, the rate
   */
  name?: string
  /**
   * The quota: `'100/15m'`, `{ limit, windowMs }`, or a function (also async) that returns the rate
   * of each key, `undefined` for no limit.
   */
  rate: RateText | Rate | RateResolver<Req>
  /**
   * Name of the counted unit in draft-11 headers and error messages: `'content-bytes'`.
   * @defaultValue 'requests'; 'concurrent-requests' for concurrency
   */
  unit?: string
  /** Units available at once, for `gcra` and `token-bucket`. @defaultValue the limit */
  burst?: number
  /** Algorithm that counts units. @defaultValue 'gcra' */
  algorithm?: AlgorithmName
  /**
   * Start of the windows of `fixed-window`: `'per-key'` at a different time for each key, so that
   * clients do not return all at once; `'epoch'` at multiples of the window since 1970, such as
   * midnight UTC. @defaultValue 'per-key'
   */
  windowStart?: 'per-key' | 'epoch'
  /**
   * The requests that share a counter: `'client'` (the user, otherwise the subnet), `'user'`,
   * `'ip'`, `'subnet'`, `'site'` (an IPv6 /48), `'global'`, or a function that returns the key.
   * @defaultValue 'client'
   */
  by?: LimitBy | KeyGenerator<Req>
}

/**
 * Options for `rateLimit()`. An error thrown by a function in here goes to `next`, unless the
 * option says otherwise.
 */
export interface RateLimitOptions<Req = IncomingMessage, Res = ServerResponse> extends Partial<LimitOptions<Req>> {
  /**
   * Several limits, each with its own `name`, `rate`, `unit`, `burst`, `algorithm`, `windowStart`
   * and `by`. All of them are charged or none, in one call of the store.
   */
  limits?: readonly LimitOptions<Req>[]
  /**
   * Returns the name of the authenticated user; `undefined` if there is none. @defaultValue no user
   */
  user?: (req: Req) => MaybePromise<string | undefined>
  /**
   * Units that a request costs, `0` for none. A cost above the limit counts as the whole limit.
   * @defaultValue 1
   */
  cost?: number | ((req: Req, client: Client) => MaybePromise<number>)
  /**
   * Returns the actual cost after the response has ended. The difference from `cost` is charged or
   * refunded; `0` refunds everything.
   */
  finalCost?: (req: Req, res: Res) => MaybePromise<number>
  /** Whether to skip a request: it is not counted. */
  skip?: (req: Req, client: Client) => MaybePromise<boolean>
  /** Addresses and networks (CIDR) that are never limited. */
  allowList?: readonly string[]
  /** Addresses and networks (CIDR) that get 403. */
  denyList?: readonly string[]
  /**
   * Whether to count and report only: no request is rejected, and no headers are sent.
   * @defaultValue false
   */
  reportOnly?: boolean
  /** Store that counts units. @defaultValue memoryStore() */
  store?: RateLimitStore
  /** Maximum time to wait for the store, in milliseconds. @defaultValue 50 */
  storeTimeoutMs?: number
  /**
   * Policy if the store fails: count in this process (`'local'`), allow every request (`'allow'`),
   * or reject every request with 503 (`'reject'`). A function decides for each request, such as
   * `'reject'` for payments only.
   * @defaultValue 'local'
   */
  onStoreError?: OnStoreError | ((req: Req) => OnStoreError)
  /**
   * Number of processes that share the limits: each gets its part while the store fails.
   * @defaultValue 1
   */
  instances?: number
  /**
   * Headers to send: `'x-ratelimit'`, `'draft-11'`, `'draft-8'`, `'draft-7'`, `'draft-6'`, or a
   * list; `'none'` or `[]` for none. @defaultValue 'x-ratelimit'
   */
  headers?: HeaderStyle | 'none' | readonly HeaderStyle[]
  /**
   * X-RateLimit-Reset in seconds since 1970 (`'epoch'`), or from now (`'delta'`).
   * @defaultValue 'epoch'
   */
  resetFormat?: 'epoch' | 'delta'
  /**
   * A secret that adds a partition key to draft-11 headers, by which a client can tell its quotas
   * apart.
   * @defaultValue none
   */
  partitionSalt?: string
  /** Adds a random number of seconds, up to this one, to Retry-After. @defaultValue 0 */
  retryJitterSeconds?: number
  /**
   * Proxies that may set X-Forwarded-For: number of hops, or their addresses and networks.
   * @defaultValue the setting `trust proxy` of an Express app, otherwise none
   */
  trustProxy?: TrustProxy
  /** Prefix length by which IPv6 addresses are counted, 32 to 128. @defaultValue 64 */
  ipv6Subnet?: number
  /**
   * Limiters with the same group, store and limits share their counters. @defaultValue 'default'
   */
  group?: string
  /** Warnings to show: all, none, or by code. @defaultValue all */
  warnings?: WarningOptions
  /**
   * Response to a rejected request: `'next'`, `'json'`, or a function. @defaultValue 'next' with an
   * error handler, otherwise 'json'
   */
  onRefused?: OnRefused
  /**
   * Called with each decision, for metrics. It cannot change the response; an error it throws is
   * reported and ignored.
   */
  onDecision?: (decision: RateLimitDecision, req: Req) => void
  /**
   * Returns the current time in milliseconds since 1970, for tests. @defaultValue a clock that
   * starts with Date.now and is not set back
   */
  now?: () => number
}

/** Every option by name, and whether the entries of `limits` have it too. */
export const OPTIONS: Readonly<Record<keyof RateLimitOptions, 'limit' | 'limiter' | 'both'>> = {
  name: 'limit',
  rate: 'limit',
  unit: 'limit',
  burst: 'limit',
  algorithm: 'limit',
  windowStart: 'limit',
  by: 'both',
  limits: 'limiter',
  user: 'limiter',
  cost: 'limiter',
  finalCost: 'limiter',
  skip: 'limiter',
  allowList: 'limiter',
  denyList: 'limiter',
  reportOnly: 'limiter',
  store: 'limiter',
  storeTimeoutMs: 'limiter',
  onStoreError: 'limiter',
  instances: 'limiter',
  headers: 'limiter',
  resetFormat: 'limiter',
  partitionSalt: 'limiter',
  retryJitterSeconds: 'limiter',
  trustProxy: 'limiter',
  ipv6Subnet: 'limiter',
  group: 'limiter',
  warnings: 'limiter',
  onRefused: 'limiter',
  onDecision: 'limiter',
  now: 'limiter',
}
