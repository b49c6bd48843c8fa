import { chain } from '../../internal/maybe-promise.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import type { RateLimitDecision } from './decision.ts'
import type { ExpressRateLimitOptions, RateLimitInfo } from './drop-in-options.ts'
import type { HeaderStyle } from './headers.ts'
import type { RateLimitOptions } from './options.ts'
import { fromExpressRateLimit } from './stores/express-rate-limit.ts'

/** The options of express-rate-limit that go over one by one. */
export function mapOptions<Req extends IncomingMessage, Res extends ServerResponse>(
  options: ExpressRateLimitOptions<Req, Res>,
  resOf: (req: Req) => Res,
): RateLimitOptions<Req> {
  const { keyGenerator, ipv6Subnet = 56, store, validate, algorithm, passOnStoreError = false } = options
  return {
    by: keyGenerator ? (req) => keyGenerator(req, resOf(req)) : ipv6Subnet === false ? 'ip' : 'subnet',
    headers: stylesOf(options),
    onStoreError: passOnStoreError ? 'allow' : 'reject',
    ...(typeof ipv6Subnet === 'number' && { ipv6Subnet: ipv6Subnet }),
    ...(store && { store: fromExpressRateLimit(store) }),
    ...(validate === false && { warnings: false as const }),
    ...(algorithm && { algorithm }),
    ...((options.skipFailedRequests || options.skipSuccessfulRequests) && { finalCost: createFinalCost(options) }),
  }
}

/** The dialects of fields that the options ask for. */
export function stylesOf(options: {
  legacyHeaders?: boolean
  headers?: boolean
  standardHeaders?: boolean | string
}): HeaderStyle[] {
  const { standardHeaders = false } = options
  const draft = standardHeaders === true ? 'draft-6' : (standardHeaders as HeaderStyle | false)
  const legacy = options.legacyHeaders ?? options.headers ?? true
  return [...(legacy ? (['x-ratelimit'] as const) : []), ...(draft ? [draft] : [])]
}

/** A request whose answer was cut off has failed, whatever its status. */
function createFinalCost<Req extends IncomingMessage, Res extends ServerResponse>(
  options: ExpressRateLimitOptions<Req, Res>,
): NonNullable<RateLimitOptions<Req>['finalCost']> {
  const { skipFailedRequests, skipSuccessfulRequests, requestWasSuccessful } = options
  return (req, res) => {
    const judged = res.writableEnded && (requestWasSuccessful?.(req, res as Res) ?? res.statusCode < 400)
    return chain(judged, (success) => ((success ? skipSuccessfulRequests : skipFailedRequests) ? 0 : 1))
  }
}

/** The name that a limit has in draft-8: `5-in-1min`. */
export function nameOf(limit: unknown, windowMs: number): string {
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

/** What `req.rateLimit` holds; `current` is the older name of `used`. */
export function infoOf({
  limit,
  remaining,
  resetMs,
  key,
  allowed,
}: RateLimitDecision): RateLimitInfo & { current: number } {
  const used = limit - remaining + (allowed || remaining > 0 ? 0 : 1)
  const info = { limit, used, remaining, resetTime: new Date(Date.now() + resetMs), key }
  return Object.defineProperty(info, 'current', { value: used, enumerable: false }) as typeof info & { current: number }
}
