import { hash } from 'node:crypto'
import type { CheckResult, HeaderStyle, LimitOptions, RateLimiter, RateLimitStore, RateText } from '@svc/ratelimit'
import { isPromise, type MaybePromise } from '../database/maybe-promise.ts'
import { parsePrefer } from '../engine/action.ts'
import { isWhole } from '../engine/jobs/defer.ts'
import { type Reply, type RequestState, requestStateOf, type Stage } from '../engine/request-state.ts'
import { toFailure } from './codes.ts'

const EXPORT_COST = 10

/**
 * Returns the options of every limiter: its headers, what counts, and the counters, in memory or of
 * all processes.
 */
export function countingOptions(trustProxy: readonly string[], store: RateLimitStore | undefined) {
  const headers: HeaderStyle[] = ['x-ratelimit', 'draft-11']
  return {
    headers,
    trustProxy,
    skip: (req: object) => requestStateOf(req).path.startsWith('/health'),
    cost: (req: object) => getCost(requestStateOf(req)),
    ...(store && { store, storeTimeoutMs: 100 }),
  }
}

/**
 * Returns the limits by address: of requests without credentials, and of attempts to get a token.
 */
export function addressLimits(rate: RateText): LimitOptions[] {
  return [
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
}

/** Returns the caller, whose requests share one limit regardless of their addresses. */
export function getSubject(req: object): string | undefined {
  return requestStateOf(req).caller?.subject
}

type Apply = (state: RequestState, result: MaybePromise<CheckResult>) => MaybePromise<Reply | undefined>

const pass: Stage = () => undefined

/**
 * Limits requests without credentials, and attempts to get a token. Without a limiter, nothing is
 * limited.
 */
export function limitByAddress(limiter: RateLimiter | undefined): Stage {
  if (!limiter) return pass
  const apply = applyResults()
  return (state) => {
    const { req, path } = state
    // Neither limit counts it.
    if (req.headers.authorization !== undefined && path !== '/tokens') return undefined
    return apply(state, limiter.check(req))
  }
}

/** Limits requests with credentials. Without a limiter, nothing is limited. */
export function limitBySubject(limiter: RateLimiter | undefined): Stage {
  if (!limiter) return pass
  const apply = applyResults()
  return (state) => {
    const { req, caller, path } = state
    if (!caller || path.startsWith('/health')) return undefined
    // Another limit has counted the request there. The headers report both.
    if (path === '/tokens') return apply(state, limiter.check(req))
    return apply(state, limiter.checkKey(caller.subject, getCost(state)))
  }
}

/**
 * Returns the function that adds the headers of a decision to those that the response carries, and
 * rejects what exceeds the limit.
 */
function applyResults(): Apply {
  // A client that does not slow down gets the same error many times: it is created once.
  let latest: { headers: CheckResult['headers']; reply: Reply } | undefined
  const apply: Apply = (state, result) => {
    if (isPromise(result)) return result.then((later) => apply(state, later))
    const { decision, headers } = result
    // They contain all that the error says.
    if (latest && decision?.allowed === false && isSame(latest.headers, headers)) return latest.reply
    const { error } = result
    if (error) {
      latest = { headers, reply: { error: toFailure(error) } }
      return latest.reply
    }
    for (const name in headers) state.added[name] = headers[name] ?? ''
    return undefined
  }
  return apply
}

function isSame(a: CheckResult['headers'], b: CheckResult['headers']): boolean {
  for (const name in b) if (a[name] !== b[name]) return false
  return true
}

// Credentials must not be stored in the counters.
function hashCredentials(authorization = ''): string {
  return hash('sha256', authorization, 'base64url')
}

function getCost({ req, match, search }: RequestState): number {
  const action = match?.action
  const isExport =
    action?.isSafe &&
    action.later &&
    ((search !== '' && isWhole(search)) || parsePrefer(req.headers['prefer']?.toString()).respondAsync)
  return isExport ? EXPORT_COST : (action?.cost ?? 1)
}
