import { callSafely } from '../../internal/guard.ts'
import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingMessage, Middleware, Next, ServerResponse } from '../../internal/middleware.ts'
import { assertKnownOptions } from '../../internal/options.ts'
import { answer } from './drop-in-answer.ts'
import { infoOf, mapOptions, nameOf, stylesOf } from './drop-in-mapping.ts'
import { DROP_IN_OPTIONS, type ExpressRateLimitOptions, type PerRequest } from './drop-in-options.ts'
import { ipKey } from './key.ts'
import { rateLimit as createLimiter } from './middleware.ts'
import type { HitInfo } from './stores/express-rate-limit.ts'

export type { MaybePromise } from '../../internal/maybe-promise.ts'
export type { Middleware } from '../../internal/middleware.ts'
export type { ExpressRateLimitOptions, PerRequest, RateLimitInfo } from './drop-in-options.ts'
export type { HitInfo, HitStore } from './stores/express-rate-limit.ts'

/** The middleware, with the two methods that express-rate-limit gives it. */
export interface RateLimitRequestHandler extends Middleware {
  /** Forgets a key. */
  resetKey(key: string): Promise<void>
  /** What is counted for a key, without counting. */
  getKey(key: string): Promise<HitInfo>
}

/** The address, or of an IPv6 address the network with this prefix. */
export function ipKeyGenerator(ip: string, ipv6Subnet: number | false = 56): string {
  return ipv6Subnet === false ? ip : (ipKey(ip, ipv6Subnet) ?? ip)
}

/** What belongs to one request: their callbacks get the response too, and a limit is asked for once. */
interface Visit<Req, Res> {
  req: Req
  res: Res
  next: Next
  limit: number
}

/**
 * Takes the options of express-rate-limit 8 and does the same with this package's limiter: only the import changes.
 * Unlike there, a window's edge admits no second quota, a store that hangs delays no request, and it runs without
 * Express.
 */
export function rateLimit<Req extends IncomingMessage = IncomingMessage, Res extends ServerResponse = ServerResponse>(
  options: ExpressRateLimitOptions<Req, Res> = {},
): RateLimitRequestHandler {
  assertKnownOptions('ratelimit', options, DROP_IN_OPTIONS)
  const { limit: given = options.max ?? 5, windowMs = 60_000, requestPropertyName = 'rateLimit', retryAfter } = options
  const visits = new WeakMap<IncomingMessage, Visit<Req, Res>>()
  const visitOf = (req: IncomingMessage): Visit<Req, Res> => visits.get(req) as Visit<Req, Res>
  const limiter = createLimiter<Req>({
    ...mapOptions(options, (req) => visitOf(req).res),
    name: options.identifier ?? nameOf(given, windowMs),
    rate:
      typeof given === 'number'
        ? { limit: Math.max(1, given), windowMs }
        : (_key, req) => req && { limit: visitOf(req).limit, windowMs },
    onDecision: (decision, req) => Object.assign(req, { [requestPropertyName]: infoOf(decision) }),
    onRefused(error, req, _res, next) {
      if (error.status !== 429) return next(error)
      const visit = visitOf(req)
      const seconds = Number(error.headers?.['Retry-After'])
      callSafely(
        () => valueOf(retryAfter, visit),
        (own) => refuseVisit(visit, options, own ?? seconds),
        next,
      )
    },
  })
  const handle: Middleware = (req, res, next) => {
    const visit = { req: req as Req, res: res as Res, next, limit: 0 }
    visits.set(req, visit)
    callSafely(
      () => chain(options.skip?.(visit.req, visit.res) ?? false, (skipped) => skipped || valueOf(given, visit)),
      (limit) => {
        if (limit === true || limit === undefined) return next()
        visit.limit = limit
        if (limit === 0) refuseAlways(visit, options)
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

function refuseVisit<Req extends IncomingMessage, Res extends ServerResponse>(
  { req, res, next }: Visit<Req, Res>,
  options: ExpressRateLimitOptions<Req, Res>,
  seconds: number | undefined,
): void {
  if (seconds !== undefined) res.setHeader('Retry-After', String(seconds))
  callSafely<unknown>(
    () => (options.handler ? options.handler(req, res, next, options) : answer(req, res, options)),
    () => {},
    next,
  )
}

/** A limit of 0 lets nobody in, and there is nothing to count. */
function refuseAlways<Req extends IncomingMessage, Res extends ServerResponse>(
  visit: Visit<Req, Res>,
  options: ExpressRateLimitOptions<Req, Res>,
): void {
  const isQuiet = stylesOf(options).length === 0
  for (const name of isQuiet ? [] : ['X-RateLimit-Limit', 'X-RateLimit-Remaining']) visit.res.setHeader(name, '0')
  refuseVisit(visit, options, isQuiet ? undefined : Math.ceil((options.windowMs ?? 60_000) / 1000))
}

function valueOf<T extends number, Req, Res>(
  value: PerRequest<T, Req, Res> | undefined,
  { req, res }: Visit<Req, Res>,
): MaybePromise<T | undefined> {
  return typeof value === 'function' ? value(req, res) : value
}
