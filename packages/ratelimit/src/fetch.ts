import { type OnRefusedFetch, refuseFetch, withHeaders } from '../../internal/fetch-error.ts'
import type { FetchMiddleware } from '../../internal/fetch-middleware.ts'
import { assertTypes, assertWordOrFunction, inspectValue } from '../../internal/options.ts'
import { createLocator } from './client.ts'
import { getHeaders } from './evaluate.ts'
import { needsFinish } from './finish.ts'
import { createMethods, type RateLimiterMethods } from './limiter.ts'
import { type CheckResult, check, doNothing } from './middleware.ts'
import type { RateLimitOptions } from './options.ts'
import type { RateText } from './rate.ts'
import { resolveSettings } from './settings.ts'

export type { OnRefusedFetch } from '../../internal/fetch-error.ts'
export type { FetchMiddleware, FetchNext } from '../../internal/fetch-middleware.ts'
export type { HttpErrorLike } from '../../internal/http-error.ts'
export { rateLimitOf } from './evaluate.ts'

/** Options for `rateLimit()` on Fetch hosts. */
export interface FetchRateLimitOptions extends Omit<RateLimitOptions<Request, Response>, 'onRefused'> {
  /**
   * Returns the address of the peer, which a `Request` does not have:
   * `server.requestIP(request)?.address` on Bun. On Deno, the handler stores it by request.
   * Without it, set `by` or `trustProxy`.
   * @defaultValue unknown
   */
  ip?: (request: Request) => string | undefined
  /**
   * Response to a rejected request: `'json'`, `'throw'`, or a function that returns it.
   * @defaultValue 'json'
   */
  onRefused?: OnRefusedFetch
}

/** The middleware `(request, next)`, and the same limits without it. */
export interface FetchRateLimiter extends FetchMiddleware, RateLimiterMethods {
  /** Counts a request and returns what to do about it. */
  check(request: Request): Promise<CheckResult>
}

/**
 * Creates middleware for Fetch hosts that limits requests. Every response reports the remaining
 * quota; a request that exceeds the limit gets 429 with `Retry-After` (RFC 6585 §4). Throws a
 * `TypeError` if an option is invalid.
 *
 * @example
 * const ip = (request: Request) => request.headers.get('cf-connecting-ip') ?? undefined
 * const limit = rateLimit({ rate: '100/15m', ip })
 * export default { fetch: (request) => limit(request, handle) }
 */
export function rateLimit(options: RateText | FetchRateLimitOptions): FetchRateLimiter {
  const { ip, onRefused, ...shared } = toObject(options)
  assertTypes('ratelimit', { ip }, { ip: 'function' })
  assertWordOrFunction('ratelimit', 'onRefused', onRefused, ['json', 'throw'])
  const settings = resolveSettings<Request, Response>(shared, {
    locator: (trust, prefix, diagnose, byAddress) =>
      createLocator(trust, prefix, diagnose, byAddress, (request) => ({
        remote: ip?.(request),
        forwarded: request.headers.get('x-forwarded-for') ?? undefined,
      })),
    isPreflight: ({ method, headers }) => method === 'OPTIONS' && headers.has('access-control-request-method'),
  })
  const { finalCost } = settings
  const handle: FetchMiddleware = async (request, next) => {
    const { error, finish } = await check(settings, request)
    if (error) return refuseFetch(error, request, onRefused)
    try {
      const response = await next(request)
      const end = (): void => finish(finalCost && (() => finalCost(request, response)))
      // The limiters behind this one have added their headers to those of the request.
      const isWatched = needsFinish(settings) && finish !== doNothing
      return withHeaders(isWatched ? watchEnd(response, request, end) : response, getHeaders(request))
    } catch (thrown) {
      finish()
      throw thrown
    }
  }
  return Object.assign(handle, createMethods(settings), { check: async (request: Request) => check(settings, request) })
}

/** Calls `end` when the body of a response has ended, has failed or was canceled. */
function watchEnd(response: Response, { method }: Request, end: () => void): Response {
  // The host never reads the body of a response to HEAD. An upgrade on Bun has no response.
  if (!response?.body || method === 'HEAD') {
    end()
    return response
  }
  const reader = response.body.getReader()
  reader.closed.then(end, end)
  // Nothing is read ahead: the body ends when the client has it.
  const strategy = { highWaterMark: 0 }
  const body = new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, strategy)
  return new Response(body, response)

  async function pull(controller: ReadableStreamDefaultController): Promise<void> {
    const { done, value } = await reader.read()
    if (done) controller.close()
    else controller.enqueue(value)
  }
}

function toObject(options: RateText | FetchRateLimitOptions): FetchRateLimitOptions {
  if (typeof options === 'string') return { rate: options }
  if (typeof options === 'object' && options !== null) return options
  throw new TypeError(`ratelimit: options must be a rate such as '100/15m' or an object, got ${inspectValue(options)}`)
}
