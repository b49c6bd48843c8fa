import { callSafely } from '../../internal/guard.ts'
import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingMessage, Next, ServerResponse } from '../../internal/middleware.ts'
import { findNearestName } from '../../internal/near-name.ts'
import { inspectValue } from '../../internal/options.ts'
import { formatAddress, isV4, parseAddress } from './address.ts'
import { locator } from './client.ts'
import { createDiagnose, type Diagnose } from './diagnose.ts'
import { countInMemory, countInStore, type Hit } from './drop-in-counter.ts'
import { createPolicyName, getResetSeconds, setLegacyHeaders, setStandardHeaders } from './drop-in-headers.ts'
import {
  DRAFTS,
  DROP_IN_OPTIONS,
  type ExpressRateLimitOptions,
  type PerRequest,
  type RateLimitInfo,
} from './drop-in-options.ts'
import { storeDown } from './errors.ts'
import { ipKey } from './key.ts'
import { type HitInfo, type HitStore, toHitStore } from './stores/hit-store.ts'

export type { MaybePromise } from '../../internal/maybe-promise.ts'
export type { Next } from '../../internal/middleware.ts'
export { MemoryStore } from './drop-in-memory.ts'
export type {
  DraftHeaders,
  DropInLogger,
  ExpressRateLimitOptions,
  PerRequest,
  RateLimitInfo,
} from './drop-in-options.ts'
export type { HitInfo, HitStore, LegacyHitStore } from './stores/hit-store.ts'

/** A second in milliseconds, for `windowMs`. */
export const SECOND = 1000
/** A minute in milliseconds. */
export const MINUTE = 60 * SECOND
/** An hour in milliseconds. */
export const HOUR = 60 * MINUTE
/** A day in milliseconds. */
export const DAY = 24 * HOUR

/** The middleware, which returns a promise as that of express-rate-limit does, with two methods. */
export interface RateLimitRequestHandler {
  (req: IncomingMessage, res: ServerResponse, next: Next): Promise<void>
  /** Deletes the count of a key. */
  resetKey(key: string): MaybePromise<void>
  /** Returns the count of a key, without counting. */
  getKey(key: string): MaybePromise<HitInfo | undefined>
}

/**
 * Returns the key of an address: itself, or the network of an IPv6 address. `false` keeps the whole
 * address.
 */
export function ipKeyGenerator(ip: string, ipv6Subnet: number | false = 56): string {
  // The deprecated form ::1.2.3.4 (RFC 4291 §2.5.5.1) is IPv4 too; ::1 is not.
  const address = /^::\d+\.\d+\.\d+\.\d+$/.test(ip) ? ip.slice(2) : ip
  if (ipv6Subnet !== false) return ipKey(address, ipv6Subnet) ?? ip
  // An IPv4 address that is mapped into IPv6 is one client, however it is written.
  const groups = parseAddress(address)
  return groups && isV4(groups) ? formatAddress(groups) : ip
}

/**
 * Accepts the options of express-rate-limit 8 and behaves like it: change the import. In memory it
 * counts with GCRA, so a window has no edge that admits a second quota; and it runs without
 * Express.
 */
export function rateLimit<Req extends IncomingMessage = IncomingMessage, Res extends ServerResponse = ServerResponse>(
  options: ExpressRateLimitOptions<Req, Res> = {},
): RateLimitRequestHandler {
  const config = resolveConfig(options)
  const { counter } = config
  const handle = async (req: IncomingMessage, res: ServerResponse, next: Next): Promise<void> => {
    try {
      if ((await limit(config, req as Req, res as Res, next)) === 'responded') return
    } catch (error) {
      return next(error)
    }
    next()
  }
  return Object.assign(handle, {
    resetKey: (key: string) => counter.resetKey(key),
    getKey: (key: string) => counter.getKey(key),
  })
}

export { rateLimit as default }

type Config<Req extends IncomingMessage, Res extends ServerResponse> = ReturnType<typeof resolveConfig<Req, Res>>

function resolveConfig<Req extends IncomingMessage, Res extends ServerResponse>(
  passed: ExpressRateLimitOptions<Req, Res>,
) {
  // A property that is undefined is the same as one that is missing.
  const entries = Object.entries(passed).filter(([, value]) => value !== undefined)
  const defined = Object.fromEntries(entries) as ExpressRateLimitOptions<Req, Res>
  const { logger, validate = true } = defined
  const diagnose = createDiagnose(validate === false ? false : undefined)
  const warn = (message: string): void => {
    if (validate === false) return
    if (logger) logger.error(new TypeError(`ratelimit: ${message}`))
    else diagnose.warnOnce('WRN_RATELIMIT_OPTION_INVALID', message)
  }
  warnInvalid(defined, warn)
  const { windowMs = MINUTE, storeTimeoutMs = 5000, algorithm = 'gcra' } = defined
  const store = defined.store && toHitStore('ratelimit', defined.store)
  if (logger && (typeof logger.error !== 'function' || typeof logger.warn !== 'function'))
    throw new TypeError(`ratelimit: logger must have the methods error and warn, got ${inspectValue(logger)}`)
  const options = {
    windowMs,
    limit: defined.max ?? 5,
    message: 'Too many requests, please try again later.',
    statusCode: 429,
    legacyHeaders: defined.headers ?? true,
    requestPropertyName: 'rateLimit',
    skipFailedRequests: false,
    skipSuccessfulRequests: false,
    requestWasSuccessful: (_req: Req, res: Res): MaybePromise<boolean> => res.statusCode < 400,
    passOnStoreError: false,
    ...defined,
    standardHeaders: resolveDraft(defined.standardHeaders) ?? (false as const),
  }
  const counter = store ? countInStore(store, storeTimeoutMs) : countInMemory(windowMs, algorithm)
  const reportStore = (error: unknown, message: string): void => {
    if (logger) logger.error(error, `express-rate-limit: ${message}`)
    else if (validate !== false) diagnose.storeDown(error, defined.passOnStoreError ? 'allow' : 'reject')
  }
  initialize(store, options, reportStore)
  return { options, counter, reportStore, createKey: defined.keyGenerator ?? createDefaultKey(defined, diagnose) }
}

const DRAFT_VALUES: readonly unknown[] = [undefined, true, false, ...DRAFTS]

type ReportStore = (error: unknown, message: string) => void

/**
 * Calls `init` once, when the limiter is created. A limiter is created synchronously, so an error
 * is reported only.
 */
function initialize(store: HitStore | undefined, options: object, report: ReportStore): void {
  let kind = ''
  callSafely(
    () => {
      const done = store?.init?.(options as never)
      kind = 'async '
      return done
    },
    () => {},
    (error) => report(error, `${kind}error during store initialization.`),
  )
}

/** Warns about invalid options and continues, as express-rate-limit does. */
function warnInvalid<Req, Res>(options: ExpressRateLimitOptions<Req, Res>, warn: (message: string) => void): void {
  for (const name of Object.keys(options)) {
    if ((DROP_IN_OPTIONS as readonly string[]).includes(name)) continue
    const near = findNearestName(name, DROP_IN_OPTIONS)
    warn(`unknown option "${name}"${near === undefined ? '' : `, did you mean "${near}"?`}`)
  }
  const { standardHeaders, ipv6Subnet } = options
  if (!DRAFT_VALUES.includes(standardHeaders))
    warn(`standardHeaders must be one of ${DRAFTS.join(', ')}, got ${inspectValue(standardHeaders)}: none are sent`)
  if (typeof ipv6Subnet === 'function' || ipv6Subnet === undefined || ipv6Subnet === false) return
  if (!isSubnet(ipv6Subnet))
    warn(`ipv6Subnet must be an integer from 32 to 64 or false, got ${inspectValue(ipv6Subnet)}: 56 is used`)
}

function resolveDraft(draft: unknown): (typeof DRAFTS)[number] | undefined {
  return draft === true ? 'draft-6' : DRAFTS.find((each) => each === draft)
}

function isSubnet(value: unknown): value is number | false {
  return value === false || (Number.isInteger(value) && Number(value) >= 32 && Number(value) <= 128)
}

/** The address behind the trusted proxies, or its network. */
function createDefaultKey<Req extends IncomingMessage, Res>(
  { ipv6Subnet = 56 }: ExpressRateLimitOptions<Req, Res>,
  diagnose: Diagnose,
): (req: Req, res: Res) => MaybePromise<string> {
  const locate = locator(undefined, 128, diagnose)
  return async (req, res) => {
    const { ip } = req.socket ? locate(req) : { ip: String((req as { ip?: unknown }).ip) }
    if (!ip.includes(':')) return ip
    const subnet = await resolveValue(ipv6Subnet, req, res)
    return ipKeyGenerator(ip, isSubnet(subnet) ? subnet : 56)
  }
}

/** Counts a request; responds if it exceeds the limit. */
async function limit<Req extends IncomingMessage, Res extends ServerResponse>(
  config: Config<Req, Res>,
  req: Req,
  res: Res,
  next: Next,
): Promise<'continue' | 'responded'> {
  const { options, counter, createKey, reportStore } = config
  const { legacyHeaders, standardHeaders, windowMs, requestPropertyName } = options
  const onSkipped = watch(options, req, res, (error) => reportStore(error, 'error from store.'))
  if (await options.skip?.(req, res)) return 'continue'
  const key = await createKey(req, res)
  const maximum = await resolveValue(options.limit, req, res)
  let hit: Hit
  try {
    hit = await counter.increment(key, maximum)
  } catch (error) {
    const { passOnStoreError } = options
    reportStore(
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
  fail: (error: unknown) => void,
): (onSkipped: () => MaybePromise<unknown>) => void {
  if (!skipFailedRequests && !skipSuccessfulRequests) return () => {}
  let isSkipped = false
  let hasEnded = false
  let callback: (() => MaybePromise<unknown>) | undefined
  const run = (): void => {
    if (isSkipped && callback) callSafely<unknown>(callback, () => {}, fail)
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
      fail,
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

function resolveValue<T, Req, Res>(value: PerRequest<T, Req, Res>, req: Req, res: Res): MaybePromise<T>
function resolveValue<T, Req, Res>(
  value: PerRequest<T, Req, Res> | undefined,
  req: Req,
  res: Res,
): MaybePromise<T | undefined>
function resolveValue(value: unknown, req: unknown, res: unknown): unknown {
  return typeof value === 'function' ? value(req, res) : value
}
