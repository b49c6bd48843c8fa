import { guard } from '../../internal/guard.ts'
import type { IncomingMessage, Middleware, Next, ServerResponse } from '../../internal/middleware.ts'
import { refuseUnknown } from '../../internal/options.ts'
import type { RateLimitDecision } from './decision.ts'
import { answer } from './drop-in-answer.ts'
import {
  DROP_IN_OPTIONS,
  type ExpressRateLimitOptions,
  type PerRequest,
  type RateLimitInfo,
} from './drop-in-options.ts'
import type { HeaderStyle } from './fields.ts'
import { addressKey } from './key.ts'
import { ratelimit } from './middleware.ts'
import type { RateLimitOptions } from './options.ts'
import { after, type Soon } from './soon.ts'
import { fromExpressRateLimit, type HitInfo } from './stores/express-rate-limit.ts'

export type { Middleware } from '../../internal/middleware.ts'
export type { ExpressRateLimitOptions, PerRequest, RateLimitInfo } from './drop-in-options.ts'
export type { Soon } from './soon.ts'
export type { HitInfo, HitStore } from './stores/express-rate-limit.ts'

/** The middleware, with the two methods that express-rate-limit gives it. */
export interface RateLimitRequestHandler extends Middleware {
  resetKey(key: string): Promise<void>
  getKey(key: string): Promise<HitInfo>
}

/** The address, or of an IPv6 address the network with this prefix. */
export function ipKeyGenerator(ip: string, ipv6Subnet: number | false = 56): string {
  return ipv6Subnet === false ? ip : (addressKey(ip, ipv6Subnet) ?? ip)
}

/**
 * Takes the options of express-rate-limit 8 and does the same with this package's limiter: only the import changes.
 * Unlike there, a window's edge admits no second quota, a store that hangs delays no request, and it runs without Express.
 */
export function rateLimit<Req extends IncomingMessage = IncomingMessage, Res extends ServerResponse = ServerResponse>(
  options: ExpressRateLimitOptions<Req, Res> = {},
): RateLimitRequestHandler {
  refuseUnknown('ratelimit', options, DROP_IN_OPTIONS)
  const { limit: given = options.max ?? 5, windowMs = 60_000, handler, skip, retryAfter } = options
  const { requestPropertyName = 'rateLimit' } = options
  const visits = new WeakMap<Req, Visit<Res>>()
  const visitOf = (req: Req): Visit<Res> => visits.get(req) as Visit<Res>
  const refuseWith = (req: Req, seconds: number | undefined): void => {
    const { res, next } = visitOf(req)
    if (seconds !== undefined) res.setHeader('Retry-After', String(seconds))
    guard<unknown>(
      () => (handler ? handler(req, res, next, options) : answer(req, res, options)),
      () => {},
      next,
    )
  }
  /** A limit of 0 lets nobody in, and there is nothing to count. */
  const closeFor = (req: Req, res: Res): void => {
    const isQuiet = stylesOf(options).length === 0
    for (const name of isQuiet ? [] : ['X-RateLimit-Limit', 'X-RateLimit-Remaining']) res.setHeader(name, '0')
    refuseWith(req, isQuiet ? undefined : Math.ceil(windowMs / 1000))
  }
  const limiter = ratelimit<Req>({
    ...mapped(options, (req) => visitOf(req).res),
    name: options.identifier ?? nameOf(given, windowMs),
    rate:
      typeof given === 'number'
        ? { limit: Math.max(1, given), windowMs }
        : (_key, req) => req && { limit: visitOf(req).limit, windowMs },
    onDecision: (decision, req) => Object.assign(req, { [requestPropertyName]: infoOf(decision) }),
    onRefused: (error, req, res, next) => {
      if (error.status !== 429) return next(error)
      guard(
        () => valueOf(retryAfter, req as Req, res as Res),
        (seconds) => refuseWith(req as Req, seconds ?? Number(error.headers?.['Retry-After'])),
        next,
      )
    },
  })
  const handle = (req: IncomingMessage, res: ServerResponse, next: Next): void => {
    const visit: Visit<Res> = { res: res as Res, next, limit: 0 }
    visits.set(req as Req, visit)
    guard(
      () =>
        after(skip?.(req as Req, visit.res) ?? false, (skipped) => skipped || valueOf(given, req as Req, visit.res)),
      (limit) => {
        if (limit === true || limit === undefined) return next()
        visit.limit = limit
        if (limit === 0) closeFor(req as Req, visit.res)
        else limiter(req, res, next)
      },
      next,
    )
  }
  return Object.assign(handle, {
    resetKey: (key: string) => limiter.reset(key),
    async getKey(key: string) {
      const { used, resetTime } = infoOf(await limiter.peek(key))
      return { totalHits: used, resetTime }
    },
  })
}

interface Visit<Res> {
  res: Res
  next: Next
  limit: number
}

/** The options that go over one by one. */
function mapped<Req extends IncomingMessage, Res extends ServerResponse>(
  options: ExpressRateLimitOptions<Req, Res>,
  resOf: (req: Req) => Res,
): RateLimitOptions<Req> {
  const { keyGenerator, ipv6Subnet = 56, store, validate, algorithm, passOnStoreError = false } = options
  return {
    key: keyGenerator ? (req) => keyGenerator(req, resOf(req)) : ipv6Subnet === false ? 'address' : 'subnet',
    headers: stylesOf(options),
    onStoreError: passOnStoreError ? 'open' : 'closed',
    ...(typeof ipv6Subnet === 'number' && { ipv6Prefix: ipv6Subnet }),
    ...(store && { store: fromExpressRateLimit(store) }),
    ...(validate === false && { warnings: false as const }),
    ...(algorithm && { algorithm }),
    ...((options.skipFailedRequests || options.skipSuccessfulRequests) && { settle: settleOf(options) }),
  }
}

function stylesOf(options: {
  legacyHeaders?: boolean
  headers?: boolean
  standardHeaders?: boolean | string
}): HeaderStyle[] {
  const { standardHeaders = false } = options
  const draft = standardHeaders === true ? 'draft-6' : (standardHeaders as HeaderStyle | false)
  const legacy = options.legacyHeaders ?? options.headers ?? true
  return [...(legacy ? (['x'] as const) : []), ...(draft ? [draft] : [])]
}

/** A request whose answer was cut off has failed, whatever its status. */
function settleOf<Req extends IncomingMessage, Res extends ServerResponse>(
  options: ExpressRateLimitOptions<Req, Res>,
): NonNullable<RateLimitOptions<Req>['settle']> {
  const { skipFailedRequests, skipSuccessfulRequests, requestWasSuccessful } = options
  return (req, res) => {
    const judged = res.writableEnded && (requestWasSuccessful?.(req, res as Res) ?? res.statusCode < 400)
    return after(judged, (success) => ((success ? skipSuccessfulRequests : skipFailedRequests) ? 0 : 1))
  }
}

function valueOf<T extends number, Req, Res>(
  value: PerRequest<T, Req, Res> | undefined,
  req: Req,
  res: Res,
): Soon<T | undefined> {
  return typeof value === 'function' ? value(req, res) : value
}

function nameOf(limit: unknown, windowMs: number): string {
  const sizes = [
    [86_400_000, 'day'],
    [3_600_000, 'hr'],
    [60_000, 'min'],
    [1000, 'sec'],
  ] as const
  const [size, unit] = sizes.find(([ms]) => windowMs >= ms) ?? [1000, 'sec']
  const count = windowMs / size
  const plural = count > 1 && (unit === 'day' || unit === 'hr') ? 's' : ''
  return `${typeof limit === 'number' ? limit : 'limit'}-in-${count}${unit}${plural}`
}

function infoOf({ limit, remaining, resetMs, key, allowed }: RateLimitDecision): RateLimitInfo & { current: number } {
  const used = limit - remaining + (allowed || remaining > 0 ? 0 : 1)
  const info = { limit, used, remaining, resetTime: new Date(Date.now() + resetMs), key }
  return Object.defineProperty(info, 'current', { value: used, enumerable: false }) as typeof info & { current: number }
}
