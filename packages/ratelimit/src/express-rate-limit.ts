import { callSafely } from '../../internal/guard.ts'
import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingMessage, Next, ServerResponse } from '../../internal/middleware.ts'
import { inspectValue } from '../../internal/options.ts'
import { passError } from '../../internal/pass-error.ts'
import { type Config, resolveConfig } from './drop-in-config.ts'
import type { Hit } from './drop-in-counter.ts'
import { createPolicyName, getResetSeconds, setLegacyHeaders, setStandardHeaders } from './drop-in-headers.ts'
import { type ExpressRateLimitOptions, type RateLimitInfo, resolveValue } from './drop-in-options.ts'
import type { DropInRequest, DropInResponse } from './drop-in-request.ts'
import { storeDown } from './errors.ts'
import type { HitInfo } from './stores/hit-store.ts'

export type { MaybePromise } from '../../internal/maybe-promise.ts'
export type { Next } from '../../internal/middleware.ts'
export { ipKeyGenerator } from './drop-in-key.ts'
export { MemoryStore } from './drop-in-memory.ts'
export type {
  DraftHeaders,
  DropInAlgorithm,
  DropInLogger,
  DropInOptions,
  ExpressRateLimitOptions,
  PerRequest,
  RateLimitInfo,
} from './drop-in-options.ts'
export { DAY, HOUR, MINUTE, SECOND } from './drop-in-options.ts'
export type { DropInRequest, DropInResponse } from './drop-in-request.ts'
export type {
  AugmentedRequest,
  ClientRateLimitInfo,
  DraftHeadersVersion,
  IncrementCallback,
  IncrementResponse,
  Logger,
  Options,
  RateLimitExceededEventHandler,
  Store,
  ValueDeterminingMiddleware,
} from './drop-in-types.ts'
export type { HitInfo, HitStore, LegacyHitStore, LegacyHitStore as LegacyStore } from './stores/hit-store.ts'

/** The middleware, which returns a promise as that of express-rate-limit does, with two methods. */
export interface RateLimitRequestHandler {
  (req: IncomingMessage, res: ServerResponse, next: Next): Promise<void>
  /** Deletes the count of a key. */
  resetKey(key: string): Promise<void>
  /** Returns the count of a key, without counting; `undefined` if it has none. */
  getKey(key: string): Promise<HitInfo | undefined>
}

/**
 * Accepts the options of express-rate-limit 8 and behaves like it: change the import. In memory it
 * counts with GCRA, so a window has no edge that admits a second quota; and it runs without
 * Express.
 */
export function rateLimit<Req extends IncomingMessage = DropInRequest, Res extends ServerResponse = DropInResponse>(
  options: ExpressRateLimitOptions<Req, Res> = {},
): RateLimitRequestHandler {
  const config = resolveConfig(options)
  const { counter } = config
  const handle = async (req: IncomingMessage, res: ServerResponse, next: Next): Promise<void> => {
    try {
      if ((await limit(config, req as Req, res as Res, next)) === 'responded') return
    } catch (error) {
      return passError(error, 'ERR_RATELIMIT_CALLBACK_FAILED', req, res, next)
    }
    next()
  }
  return Object.assign(handle, {
    resetKey: async (key: string) => counter.resetKey(String(key)),
    getKey: async (key: string) => counter.getKey(String(key)),
  })
}

export { rateLimit as default }

/** Counts a request; responds if it exceeds the limit. */
async function limit<Req extends IncomingMessage, Res extends ServerResponse>(
  config: Config<Req, Res>,
  req: Req,
  res: Res,
  next: Next,
): Promise<'continue' | 'responded'> {
  const { options, counter, createKey, health, reportHook } = config
  const { legacyHeaders, standardHeaders, windowMs, requestPropertyName } = options
  const onSkipped = watch(options, req, res, reportHook, (error) => health.fail(error, 'error from store.'))
  if (await options.skip?.(req, res)) return 'continue'
  const key = String(await createKey(req, res))
  const maximum = await resolveValue(options.limit, req, res)
  if (Number.isNaN(Number(maximum)))
    throw new TypeError(`ratelimit: limit must be a number, got ${inspectValue(maximum)}`)
  let hit: Hit
  try {
    hit = await counter.increment(key, maximum)
    health.succeed()
  } catch (error) {
    const { passOnStoreError } = options
    health.fail(
      error,
      `error from store, ${passOnStoreError ? 'allowing request without rate-limiting.' : 'rejecting request.'}`,
    )
    if (passOnStoreError) return 'continue'
    throw storeDown(error)
  }
  const info = toInfo(hit, maximum, key)
  Object.assign(req, { [requestPropertyName]: info })
  onSkipped(() => counter.decrement(key, maximum, hit))
  if (!res.headersSent) {
    if (legacyHeaders) setLegacyHeaders(res, info)
    if (standardHeaders) {
      const name = await resolveValue(options.identifier ?? createPolicyName(maximum, windowMs), req, res)
      setStandardHeaders(res, standardHeaders, info, windowMs, name)
    }
  }
  if (hit.isAllowed) return 'continue'
  if ((legacyHeaders || standardHeaders) && !res.headersSent) {
    const seconds = await resolveValue(options.retryAfter, req, res)
    const retrySeconds = hit.retrySeconds ?? getResetSeconds(windowMs, hit.resetTime)
    res.setHeader('Retry-After', String(seconds ?? retrySeconds))
  }
  await (options.handler ? options.handler(req, res, next, options) : sendRejection(req, res, options))
  return 'responded'
}

/**
 * Sends a rejection as express-rate-limit does: by `res.send` if there is one, otherwise the same
 * bytes.
 */
function sendRejection<Req extends IncomingMessage, Res extends ServerResponse>(
  req: Req,
  res: Res,
  { message = 'Too many requests, please try again later.', statusCode = 429 }: ExpressRateLimitOptions<Req, Res>,
): MaybePromise<void> {
  res.statusCode = statusCode
  return chain(typeof message === 'function' ? message(req, res) : message, (body: unknown) => {
    if (res.writableEnded) return
    const { send } = res as { send?: (body: unknown) => unknown }
    if (typeof send === 'function') {
      send.call(res, body)
      return
    }
    const isText = typeof body === 'string'
    const bytes = Buffer.from(isText ? body : JSON.stringify(body ?? null))
    res.setHeader('Content-Type', isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8')
    res.setHeader('Content-Length', bytes.length)
    res.end(req.method === 'HEAD' ? undefined : bytes)
  })
}

/**
 * Watches for the end of a response. The returned function sets the callback for a response that is
 * not counted. The listeners are added before anything asynchronous, so that no event is missed.
 */
function watch<Req extends IncomingMessage, Res extends ServerResponse>(
  { skipFailedRequests, skipSuccessfulRequests, requestWasSuccessful }: Config<Req, Res>['options'],
  req: Req,
  res: Res,
  failHook: (error: unknown) => void,
  failStore: (error: unknown) => void,
): (onSkipped: () => MaybePromise<unknown>) => void {
  if (!skipFailedRequests && !skipSuccessfulRequests) return () => {}
  let isSkipped = false
  let hasEnded = false
  let callback: (() => MaybePromise<unknown>) | undefined
  const run = (): void => {
    if (isSkipped && callback) callSafely<unknown>(callback, () => {}, failStore)
  }
  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    callSafely<boolean>(
      // A response that was cut off has failed, regardless of its status.
      () => res.writableEnded && requestWasSuccessful(req, res),
      (isSuccess) => {
        isSkipped = isSuccess ? skipSuccessfulRequests : skipFailedRequests
        run()
      },
      failHook,
    )
  }
  for (const event of ['finish', 'close', 'error']) res.once(event, end)
  return (onSkipped) => {
    callback = onSkipped
    run()
  }
}

/** Value of `req.rateLimit`; `current` is the older name of `used`, and hidden. */
function toInfo({ totalHits, resetTime }: Hit, maximum: number, key: string): RateLimitInfo {
  const info = { limit: maximum, used: totalHits, remaining: Math.max(maximum - totalHits, 0), resetTime, key }
  return Object.defineProperty(info, 'current', { value: totalHits, enumerable: false })
}
