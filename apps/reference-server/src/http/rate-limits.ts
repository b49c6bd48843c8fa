import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  type CheckResult,
  clientIp,
  type HeaderStyle,
  ipKey,
  type LimitOptions,
  type RateLimiter,
  type RateLimitStore,
} from '@svc/ratelimit'
import { chain, isPromise, type MaybePromise } from '../database/maybe-promise.ts'
import { parsePrefer } from '../engine/action.ts'
import { isWhole } from '../engine/jobs/defer.ts'
import { type Reply, type RequestState, requestStateOf, type Stage } from '../engine/request-state.ts'
import { toFailure } from './codes.ts'

const EXPORT_COST = 10
const EXPORT_TYPES = /csv|pdf/i

/**
 * Returns the options of every limiter: its headers, what counts, and the counters, in memory or of
 * all processes.
 */
export function countingOptions(trustProxy: readonly string[], store: RateLimitStore | undefined) {
  const headers: HeaderStyle[] = ['x-ratelimit', 'draft-11']
  return {
    headers,
    trustProxy,
    cost: (req: object) => getCost(requestStateOf(req)),
    ...(store && { store, storeTimeoutMs: 100 }),
  }
}

/** Returns the address of the client of a request. */
export type LocateClient = (req: IncomingMessage) => string

/**
 * Creates the function that locates clients behind these proxies, while they are connected: the
 * peer of a closed connection is unknown. Without a proxy the peer is the client, and never
 * changes.
 */
export function clientLocator(trustProxy: readonly string[]): LocateClient {
  const peers = new WeakMap<object, string>()
  return (req) => {
    if (req.headers['x-forwarded-for'] !== undefined) return clientIp(req, trustProxy)
    const peer = peers.get(req.socket)
    if (peer !== undefined) return peer
    const address = clientIp(req, trustProxy)
    peers.set(req.socket, address)
    return address
  }
}

/** The limit of attempts to get a token. */
export const TOKEN_LIMIT: LimitOptions = {
  name: 'tokens',
  rate: '10/15m',
  algorithm: 'sliding-log',
  // Credentials must not be stored in the counters.
  by: (req, { subnet }) => `${subnet} ${hash('sha256', req.headers.authorization ?? '', 'base64url')}`,
}

/** Returns the caller, whose requests share one limit regardless of their addresses. */
export function getSubject(req: object): string | undefined {
  return requestStateOf(req).caller?.subject
}

type Apply = (state: RequestState, result: MaybePromise<CheckResult>) => MaybePromise<Reply | undefined>

/** Limits requests without credentials, and attempts to get a token. */
export function limitByAddress(anonymous: RateLimiter | undefined, tokens: RateLimiter | undefined): Stage {
  const apply = applyResults()
  return (state) => {
    const { req, path } = state
    const limiter = req.headers.authorization === undefined && !path.startsWith('/health') ? anonymous : undefined
    if (!tokens || path !== '/tokens') return limiter && apply(state, limiter.check(req))
    return chain(apply(state, tokens.check(req)), (reply) => reply ?? (limiter && apply(state, limiter.check(req))))
  }
}

export type FailureLimit = ReturnType<typeof failureLimit>

/**
 * Limits credentials that fail like requests without credentials. They have a count of their own:
 * no request without credentials keeps a user from signing in. Without a limiter, nothing is
 * limited.
 */
export function failureLimit(anonymous: RateLimiter | undefined) {
  let latest = { address: '', key: ' failures' }
  return {
    /** Counts a request whose credentials have failed, or may fail. */
    take(address: string): MaybePromise<CheckResult | undefined> {
      // A client that fails once mostly fails again.
      if (address !== latest.address) latest = { address, key: `${ipKey(address) ?? address} failures` }
      return anonymous?.checkKey(latest.key)
    },
    /** Adds the headers of what was taken to the response, or returns the 429. */
    apply: applyResults(),
    /** Returns what was taken for credentials that did not fail. */
    async refund({ decision }: CheckResult): Promise<undefined> {
      // While the store is unavailable there is nothing to return.
      if (decision) await anonymous?.refund(decision).catch(() => undefined)
    },
  }
}

/** Limits requests with credentials. Without a limiter, nothing is limited. */
export function limitBySubject(limiter: RateLimiter | undefined): Stage {
  if (!limiter) return () => undefined
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

function getCost({ req, match, search }: RequestState): number {
  const action = match?.action
  const isExport =
    action?.isSafe &&
    action.later &&
    EXPORT_TYPES.test(req.headers.accept ?? '') &&
    ((search !== '' && isWhole(search)) || parsePrefer(req.headers['prefer']?.toString()).respondAsync)
  return isExport ? EXPORT_COST : (action?.cost ?? 1)
}
