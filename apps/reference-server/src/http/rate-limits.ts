import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  type CheckResult,
  type HeaderStyle,
  type LimitOptions,
  type RateLimitOptions,
  type RateLimitStore,
  type RateText,
  rateLimit,
} from '@svc/ratelimit'
import { isPromise, type MaybePromise } from '../database/maybe-promise.ts'
import { parsePrefer } from '../engine/action.ts'
import { isWhole } from '../engine/jobs/defer.ts'
import { type RequestState, requestStateOf, type Stage } from '../engine/request-state.ts'

export interface RateLimits {
  /** `undefined`: off. */
  rateLimit: RateText | undefined
  rateLimitAnonymous: RateText | undefined
  store: RateLimitStore | undefined
  trustProxy: readonly string[]
}

const EXPORT_COST = 10

const headers: HeaderStyle[] = ['x-ratelimit', 'draft-11']
const common = {
  headers,
  skip: (req: object) => isFree(requestStateOf(req)),
  cost: (req: object) => getCost(requestStateOf(req)),
}

const pass: Stage = () => undefined

/** Limits requests without credentials by the address they come from, and attempts to get a token. */
export function limitByAddress({ rateLimitAnonymous: rate, store, trustProxy }: RateLimits): Stage {
  if (rate === undefined) return pass
  const limits: LimitOptions[] = [
    {
      name: 'anonymous',
      rate,
      by: (req, { subnet }) => (req.headers.authorization === undefined ? subnet : undefined),
    },
    {
      name: 'tokens',
      rate: '10/15m',
      algorithm: 'sliding-log',
      by: (req, { subnet }) =>
        requestStateOf(req).path === '/tokens' ? `${subnet} ${hashCredentials(req.headers.authorization)}` : undefined,
    },
  ]
  const limiter = rateLimit({ ...common, limits, trustProxy: [...trustProxy], ...countedIn(store) })
  return (state) => {
    const { req, path } = state
    // Neither limit counts it.
    if (req.headers.authorization !== undefined && path !== '/tokens') return undefined
    return apply(state, limiter.check(req))
  }
}

/** Limits the requests of one caller, regardless of their addresses. */
export function limitBySubject({ rateLimit: rate, store }: RateLimits): Stage {
  if (rate === undefined) return pass
  const by = (req: object): string | undefined => requestStateOf(req).caller?.subject
  const limiter = rateLimit({ ...common, name: 'authenticated', rate, by, ...countedIn(store) })
  return (state) => {
    const { req, caller, path } = state
    if (!caller || isFree(state)) return undefined
    // Another limit has counted the request there. The headers report both.
    if (path === '/tokens') return apply(state, limiter.check(req))
    return apply(state, limiter.checkKey(caller.subject, getCost(state)))
  }
}

/** Adds the headers of the decision to those that the response carries, and rejects what exceeds the limit. */
function apply(state: RequestState, result: MaybePromise<CheckResult>): MaybePromise<undefined> {
  if (isPromise(result)) return result.then((later) => apply(state, later))
  for (const name in result.headers) state.added[name] = result.headers[name] ?? ''
  if (result.error) throw result.error
  return undefined
}

// Credentials must not be stored in the counters.
function hashCredentials(authorization = ''): string {
  return createHash('sha256').update(authorization).digest('base64url')
}

function isFree({ path }: RequestState): boolean {
  return path.startsWith('/health')
}

function getCost({ req, method, match, search }: RequestState): number {
  const action = match?.action
  const isExport = method === 'GET' && action?.later && (isWhole(search) || prefersLater(req))
  return isExport ? EXPORT_COST : (action?.cost ?? 1)
}

function prefersLater({ headers }: IncomingMessage): boolean {
  return parsePrefer(headers['prefer']?.toString()).respondAsync
}

/** Options of a limiter that counts in a store of all processes, and how long a request waits for it; else in memory. */
function countedIn(store: RateLimitStore | undefined): Pick<RateLimitOptions, 'store' | 'storeTimeoutMs'> {
  return store ? { store, storeTimeoutMs: 100 } : {}
}
