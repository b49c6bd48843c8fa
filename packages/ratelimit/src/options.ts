import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import type { OnRefused } from '../../internal/refuse.ts'
import type { AlgorithmName } from './algorithm.ts'
import type { RateLimitDecision } from './decision.ts'
import type { Warnings } from './diagnose.ts'
import type { HeaderStyle } from './fields.ts'
import type { OnStoreError } from './guarded-store.ts'
import type { TrustProxy } from './proxies.ts'
import type { Rate, RateText } from './rate.ts'
import type { Soon } from './soon.ts'
import type { RateLimitStore } from './store.ts'

/** What is known about who sent a request. */
export interface Client {
  /** The client's address behind the trusted proxies. */
  readonly address: string
  /** What the address is counted by: itself, or the /64 of an IPv6 address. */
  readonly subnet: string
  /** Who the client is, where `principal` says so. */
  readonly principal: string | undefined
}

/**
 * `client`: the principal, else the subnet. `site`: the /48 of an IPv6 address, nothing for IPv4. `all`: one counter.
 */
export type CountedBy = 'client' | 'principal' | 'subnet' | 'address' | 'site' | 'all'

/** Makes the key that a request is counted by; `undefined`: this limit does not count it. */
export type KeyOf<Req> = (req: Req, client: Client) => Soon<string | undefined>

/**
 * The rate of a key, such as a tenant's plan; `undefined`: the key has no limit. `req` is there when a request asks.
 */
export type RateOf<Req> = (key: string, req: Req | undefined) => Soon<RateText | Rate | undefined>

/** One limit. */
export interface LimitOptions<Req = IncomingMessage> {
  /** Name in the fields and in the decision. @defaultValue 'default'; where there are several limits, their rate */
  name?: string
  /**
   * The quota: `'100/15m'`, `{ limit, windowMs }`, or a function (also async) that gives each key its own, `undefined`
   * none.
   */
  rate: RateText | Rate | RateOf<Req>
  /** What a unit is, as draft-11 and refusals tell it: `'content-bytes'`. @defaultValue 'requests' */
  unit?: string
  /** Units that may come at once, for `gcra` and `token-bucket`. @defaultValue the limit */
  burst?: number
  /** How units are counted. @defaultValue 'gcra' */
  algorithm?: AlgorithmName
  /**
   * Where the windows of `fixed-window` begin: `spread` at another moment for each key, so that clients do not come back
   * all at once; `epoch` at multiples of the window since 1970, such as midnight UTC. @defaultValue 'spread'
   */
  windows?: 'spread' | 'epoch'
  /**
   * What this limit counts: the `client`, its `principal`, `subnet`, `address` or `site` (an IPv6 /48), `all` requests
   * together, or a function that says it. @defaultValue what `key` of the limiter says
   */
  by?: CountedBy | KeyOf<Req>
}

/** A throw or a rejection of any function in here goes to the host's error handling. */
export interface RateLimitOptions<Req = IncomingMessage> extends Partial<LimitOptions<Req>> {
  /**
   * Several limits at once, each with `name`, `rate`, `unit`, `burst`, `algorithm`, `windows` and `by` of its own: all
   * are checked, then all are taken, or none, in one call of the store.
   */
  limits?: readonly LimitOptions<Req>[]
  /** What a request is counted by: the principal, else the address. @defaultValue 'client' */
  key?: CountedBy | KeyOf<Req>
  /** Who an authenticated client is. @defaultValue nobody */
  principal?: (req: Req) => Soon<string | undefined>
  /** Units that a request takes, 0 for none. More than a limit has count as all that it has. @defaultValue 1 */
  cost?: number | ((req: Req, client: Client) => Soon<number>)
  /** Called when the response has ended: the units that it took in truth, 0 to give all back. */
  settle?: (req: Req, res: ServerResponse) => Soon<number>
  /** Requests that are not counted. */
  skip?: (req: Req, client: Client) => Soon<boolean>
  /** Addresses and networks that are not counted. */
  allow?: readonly string[]
  /** Addresses and networks that get 403. */
  deny?: readonly string[]
  /** Counts and reports, but refuses nothing and writes no fields. @defaultValue false */
  shadow?: boolean
  /** Where units are counted. @defaultValue memoryStore() */
  store?: RateLimitStore
  /** How long a request waits for the store, in milliseconds. @defaultValue 50 */
  storeTimeoutMs?: number
  /**
   * What happens while the store fails: count in this process (`'local'`), let everything on (`'open'`), or refuse
   * everything (`'closed'`). A function says it by request: `'closed'` for payments alone. @defaultValue 'local'
   */
  onStoreError?: OnStoreError | ((req: Req) => OnStoreError)
  /** Processes that share the limits: while the store fails, each allows its part of them. @defaultValue 1 */
  instances?: number
  /**
   * Which fields responses carry: `'x'` for X-RateLimit-*, `'draft-11'`, `'draft-8'`, `'draft-7'`, `'draft-6'`, or a
   * list; `[]` for none. @defaultValue 'x'
   */
  headers?: HeaderStyle | readonly HeaderStyle[]
  /** X-RateLimit-Reset in seconds since 1970 (`epoch`), or from now (`delta`). @defaultValue 'epoch' */
  reset?: 'epoch' | 'delta'
  /**
   * A secret: with it draft-11 carries a partition key, by which a client can tell its quotas apart. @defaultValue none
   */
  partitionSalt?: string
  /** Adds up to so many seconds to Retry-After, so that refused clients do not come back together. @defaultValue 0 */
  retryJitter?: number
  /**
   * The hops in front of the service that may write X-Forwarded-For: how many, or their networks. @defaultValue what
   * `trust proxy` of an Express app says, else none
   */
  trustProxy?: TrustProxy
  /** Prefix that IPv6 addresses are counted by, 32 to 128. @defaultValue 64 */
  ipv6Prefix?: number
  /** Limiters with the same group, store and limits share their counters. @defaultValue 'default' */
  group?: string
  /** Which warnings are shown: their codes, or `false` for none. @defaultValue all */
  warnings?: Warnings
  /** Who answers a refusal. @defaultValue the host's error handling where it has one, else a JSON Error record */
  onRefused?: OnRefused
  /** Called with each decision, for metrics. */
  onDecision?: (decision: RateLimitDecision, req: Req, res: ServerResponse) => void
  /** Milliseconds since 1970, for tests. @defaultValue Date.now */
  now?: () => number
}

/** Every option by name, and whether a limit has it too. */
export const OPTIONS: Readonly<Record<keyof RateLimitOptions, 'limit' | 'limiter'>> = {
  name: 'limit',
  rate: 'limit',
  unit: 'limit',
  burst: 'limit',
  algorithm: 'limit',
  windows: 'limit',
  by: 'limit',
  limits: 'limiter',
  key: 'limiter',
  principal: 'limiter',
  cost: 'limiter',
  settle: 'limiter',
  skip: 'limiter',
  allow: 'limiter',
  deny: 'limiter',
  shadow: 'limiter',
  store: 'limiter',
  storeTimeoutMs: 'limiter',
  onStoreError: 'limiter',
  instances: 'limiter',
  headers: 'limiter',
  reset: 'limiter',
  partitionSalt: 'limiter',
  retryJitter: 'limiter',
  trustProxy: 'limiter',
  ipv6Prefix: 'limiter',
  group: 'limiter',
  warnings: 'limiter',
  onRefused: 'limiter',
  onDecision: 'limiter',
  now: 'limiter',
}
