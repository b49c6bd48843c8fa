import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import type { OnRefused } from '../../internal/refuse.ts'
import type { AlgorithmName } from './algorithm.ts'
import type { RateLimitDecision } from './decision.ts'
import type { TrustProxy } from './proxies.ts'
import type { Rate, RateText } from './rate.ts'
import type { Soon } from './soon.ts'
import type { RateLimitStore } from './store.ts'

/** What is known about who sent a request. */
export interface Client {
  /** The client's address behind the trusted proxies. */
  address: string
  /** What the address is counted by: itself, or the /64 of an IPv6 address. */
  subnet: string
  /** Who the client is, where `principal` says so. */
  principal: string | undefined
}

/** `client`: the principal, else the subnet. `site`: the /48 of an IPv6 address, nothing for IPv4. `all`: one counter. */
export type CountedBy = 'client' | 'principal' | 'subnet' | 'address' | 'site' | 'all'

/** Makes the key that a request is counted by; `undefined`: this limit does not count it. */
export type KeyOf<Req> = (req: Req, client: Client) => Soon<string | undefined>

/** One limit. */
export interface LimitOptions<Req = IncomingMessage> {
  /** Name in the fields and in the decision. @defaultValue 'default', or the rate where there are several limits */
  name?: string
  /** `'100/15m'`, numbers, or a function of the key (plans of tenants). A key whose rate is `undefined` has no limit. */
  rate: RateText | Rate | ((key: string, req: Req | undefined) => Soon<RateText | Rate | undefined>)
  /** Units that may come at once, for gcra and token-bucket. @defaultValue the limit */
  burst?: number
  /** @defaultValue 'gcra' */
  algorithm?: AlgorithmName
  /** What is counted. @defaultValue what `key` of the limiter says */
  by?: CountedBy | KeyOf<Req>
}

export interface RateLimitOptions<Req = IncomingMessage> extends Partial<LimitOptions<Req>> {
  /** Several limits at once, checked and taken all or nothing in one call of the store. */
  limits?: readonly LimitOptions<Req>[]
  /** What a request is counted by. @defaultValue 'client' */
  key?: CountedBy | KeyOf<Req>
  /** Who an authenticated client is. @defaultValue nobody */
  principal?: (req: Req) => Soon<string | undefined>
  /** Units that a request takes. @defaultValue 1 */
  cost?: number | ((req: Req, client: Client) => Soon<number>)
  /** Requests that are not counted at all. */
  skip?: (req: Req, client: Client) => Soon<boolean>
  /** Where units are counted. @defaultValue memoryStore() */
  store?: RateLimitStore
  /** Hops or networks in front of the service. @defaultValue what the Express app says, else none */
  trustProxy?: TrustProxy
  /** Prefix that IPv6 addresses are counted by. @defaultValue 64 */
  ipv6Prefix?: number
  /** Limiters with the same group, store and limits share their counters. @defaultValue 'default' */
  group?: string
  /** Who answers a refusal. @defaultValue the host's error handling where it has one, else a JSON Error record */
  onRefused?: OnRefused
  /** Called with each decision, for metrics; a throw goes to the host's error handling. */
  onDecision?: (decision: RateLimitDecision, req: Req, res: ServerResponse) => void
  /** Milliseconds since 1970, for tests. @defaultValue Date.now */
  now?: () => number
}
