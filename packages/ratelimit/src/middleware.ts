import { isPromise } from '../../internal/guard.ts'
import type { HttpErrorLike } from '../../internal/http-error.ts'
import { chain, type MaybePromise, orElse } from '../../internal/maybe-promise.ts'
import type { IncomingMessage, Middleware, Next, ServerResponse } from '../../internal/middleware.ts'
import { passError } from '../../internal/pass-error.ts'
import { refuse } from '../../internal/refuse.ts'
import { locator } from './client.ts'
import { type RateLimitDecision, toDecision } from './decision.ts'
import { denied, exceeded, isStoreDown, retrySeconds } from './errors.ts'
import { type Evaluation, evaluate, getHeaders } from './evaluate.ts'
import { createFinish, type Finish, needsFinish } from './finish.ts'
import type { HeaderValues } from './headers.ts'
import { createMethods, type RateLimiterMethods } from './limiter.ts'
import { checkCost, createCharges } from './limits.ts'
import type { RateLimitOptions } from './options.ts'
import type { RateText } from './rate.ts'
import type { ConsumeReceipt } from './receipt.ts'
import { resolveSettings, type Settings } from './settings.ts'
import type { Charge } from './store.ts'

/** Result of `check`. */
export interface CheckResult {
  /** The decision; `undefined` if the request was not counted. */
  readonly decision: RateLimitDecision | undefined
  /**
   * Headers for the response, whatever its status: rate limits of all limiters so far, and
   * Retry-After if rejected.
   */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The error to respond with (429, 403 or 503), with its own headers; `undefined` if the request
   * may continue. A 429 is created when it is read.
   */
  readonly error: HttpErrorLike | undefined
  /**
   * Call it when the response has ended: returns leases and charges the actual cost, if one is
   * passed.
   */
  finish(cost?: number): void
}

/** `CheckResult` inside the package: the actual cost may be a call that returns it. */
export interface Checked extends CheckResult {
  readonly finish: Finish
}

/** The middleware `(req, res, next)`, and the same limits without it. */
export interface RateLimiter<Req = IncomingMessage> extends Middleware, RateLimiterMethods {
  /**
   * Counts a request and returns what to do about it, for a service that writes its own responses.
   * Returns in the same tick if the store does. Throws or rejects if a function of the options
   * does.
   */
  check(req: Req): MaybePromise<CheckResult>
  /**
   * Counts a key and returns what to do about it, for a service that has identified the client: it
   * calls no function of the options, checks no list and publishes no event. `cost` is a
   * non-negative integer.
   * @defaultValue 1
   */
  checkKey(key: string, cost?: number): MaybePromise<CheckResult>
}

/**
 * Creates middleware that limits requests. Every response reports the remaining quota; a request
 * that exceeds the limit gets 429 with `Retry-After` (RFC 6585 §4). Throws a `TypeError` if an
 * option is invalid.
 *
 * @example
 * app.use(rateLimit('100/15m'))
 */
export function rateLimit<Req extends IncomingMessage = IncomingMessage, Res extends ServerResponse = ServerResponse>(
  options: RateText | RateLimitOptions<Req, Res>,
): RateLimiter<Req> {
  const settings = resolveSettings<Req, Res>(options, {
    locator,
    isPreflight: ({ method, headers }) =>
      method === 'OPTIONS' && headers['access-control-request-method'] !== undefined,
  })
  // Called once per request: it creates closures only if a store or a callback returns a promise.
  const handle = (req: IncomingMessage, res: ServerResponse, next: Next): void => {
    let result: ReturnType<typeof evaluate>
    try {
      result = evaluate(settings, req as Req)
    } catch (error) {
      return fail(settings, error, req, res, next)
    }
    if (!isPromise(result)) return proceed(settings, result, req as Req, res as Res, next)
    result.then(
      (result) => proceed(settings, result, req as Req, res as Res, next),
      (error) => fail(settings, error, req, res, next),
    )
  }
  return Object.assign(handle, createMethods(settings), {
    check: (req: Req) => check(settings, req),
    checkKey: keyChecker(settings),
  })
}

/** Sends the headers of a request that was counted, and continues or rejects. */
function proceed<Req extends IncomingMessage, Res extends ServerResponse>(
  settings: Settings<Req, Res>,
  result: Evaluation | 'passed' | 'denied',
  req: Req,
  res: Res,
  next: Next,
): void {
  const { finalCost, jitterSeconds, onRefused, reportOnly } = settings
  if (result === 'denied' && !reportOnly) return refuse(denied(), req, res, next, onRefused)
  if (typeof result === 'string') return next()
  const { decision, headers } = result
  if (!res.headersSent) for (const name in headers) res.setHeader(name, headers[name] ?? '')
  const finish = needsFinish(settings) ? createFinish(settings, result) : undefined
  if (finish) {
    const end = (): void => finish(finalCost && (() => finalCost(req, res)))
    // The client may have disconnected while the store was called: then `close` has been emitted
    // already.
    if (res.destroyed || req.socket.destroyed) end()
    else res.once('close', end)
  }
  if (decision.allowed || reportOnly) next()
  else refuse(exceeded(decision, headers, retrySeconds(decision) + jitterSeconds()), req, res, next, onRefused)
}

function fail<Req extends object, Res>(
  { reportOnly, onRefused }: Settings<Req, Res>,
  error: unknown,
  req: IncomingMessage,
  res: ServerResponse,
  next: Next,
): void {
  if (!isStoreDown(error)) passError(error, 'ERR_RATELIMIT_CALLBACK_FAILED', req, res, next)
  else if (reportOnly) next()
  else refuse(error, req, res, next, onRefused)
}

/** Creates `checkKey`. It creates closures only if the store or a rate returns a promise. */
function keyChecker<Req extends object, Res>(settings: Settings<Req, Res>) {
  const { limits } = settings.counter
  return (key: string, cost = 1): MaybePromise<Checked> => {
    try {
      const charges = createCharges(limits, key, checkCost(cost))
      const result = isPromise(charges)
        ? charges.then((later) => countCharges(settings, later))
        : countCharges(settings, charges)
      return isPromise(result) ? result.then(undefined, (error) => withoutStore(settings, error)) : result
    } catch (error) {
      return withoutStore(settings, error)
    }
  }
}

function countCharges<Req extends object, Res>(
  settings: Settings<Req, Res>,
  charges: readonly Charge[],
): MaybePromise<Checked> {
  if (charges.length === 0) return toCheckResult(settings, 'passed')
  const receipt = settings.counter.store.consume(charges)
  return isPromise(receipt) ? receipt.then((later) => toKeyResult(settings, later)) : toKeyResult(settings, receipt)
}

function toKeyResult<Req extends object, Res>(settings: Settings<Req, Res>, receipt: ConsumeReceipt): Checked {
  const decision = toDecision(receipt, settings.reportOnly)
  // What this process counts on its own, while the store is down, would contradict earlier
  // responses.
  const headers = decision.source === 'store' ? settings.headersFor(decision) : {}
  return toCheckResult(settings, { decision, receipt, headers })
}

/** Counts a request without a response. */
export function check<Req extends object, Res>(settings: Settings<Req, Res>, req: Req): MaybePromise<Checked> {
  return orElse(
    () => chain(evaluate(settings, req), (result) => toCheckResult(settings, result, getHeaders(req))),
    (error) => withoutStore(settings, error, getHeaders(req)),
  )
}

/** Passes the failure of a store on. A limiter in reportOnly mode lets the request continue. */
function withoutStore<Req extends object, Res>(
  { reportOnly }: Settings<Req, Res>,
  error: unknown,
  earlier?: HeaderValues,
): Checked {
  if (!isStoreDown(error)) throw error
  return withoutDecision(reportOnly ? undefined : error, earlier)
}

function toCheckResult<Req extends object, Res>(
  settings: Settings<Req, Res>,
  result: Evaluation | 'passed' | 'denied',
  earlier?: HeaderValues,
): Checked {
  if (typeof result === 'string')
    return withoutDecision(result === 'denied' && !settings.reportOnly ? denied() : undefined, earlier)
  const { decision, headers } = result
  if (!decision.allowed && !settings.reportOnly)
    return new Rejection(decision, headers, retrySeconds(decision) + settings.jitterSeconds())
  let finish: Finish | undefined
  return {
    decision,
    headers,
    error: undefined,
    finish: (cost) => {
      finish ??= createFinish(settings, result) ?? doNothing
      finish(cost)
    },
  }
}

/** Result of a request over a limit. A service that sends a response again needs no error. */
class Rejection implements Checked {
  readonly decision: RateLimitDecision
  readonly headers: HeaderValues
  readonly finish = doNothing
  readonly #seconds: number
  #error: HttpErrorLike | undefined

  constructor(decision: RateLimitDecision, headers: HeaderValues, seconds: number) {
    this.decision = decision
    this.headers = { ...headers, 'Retry-After': String(seconds) }
    this.#seconds = seconds
  }

  get error(): HttpErrorLike {
    this.#error ??= exceeded(this.decision, this.headers, this.#seconds)
    return this.#error
  }
}

/** `earlier`: headers of the limiters that have counted the request before. */
function withoutDecision(error: HttpErrorLike | undefined, earlier?: HeaderValues): Checked {
  const retryAfter = error?.headers?.['Retry-After']
  const headers: HeaderValues = { ...earlier, ...(retryAfter && { 'Retry-After': retryAfter }) }
  return { decision: undefined, headers, error, finish: doNothing }
}

/** Finishes a request that has charged nothing. */
export function doNothing(): void {}
