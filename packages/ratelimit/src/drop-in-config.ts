import { callSafely } from '../../internal/guard.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingMessage, ServerResponse } from '../../internal/middleware.ts'
import { findNearestName } from '../../internal/near-name.ts'
import { inspectValue } from '../../internal/options.ts'
import { createDiagnose, outageReport, type WarningOptions } from './diagnose.ts'
import { countInMemory, countInStore } from './drop-in-counter.ts'
import { createDefaultKey, isSubnet } from './drop-in-key.ts'
import { DRAFTS, DROP_IN_OPTIONS, type ExpressRateLimitOptions, MINUTE } from './drop-in-options.ts'
import { type HitStore, toHitStore } from './stores/hit-store.ts'

/** The options as they apply to requests, with their defaults. */
export type Config<Req extends IncomingMessage, Res extends ServerResponse> = ReturnType<typeof resolveConfig<Req, Res>>

/**
 * Checks the options and opens the store. It warns about most mistakes, as express-rate-limit does.
 */
export function resolveConfig<Req extends IncomingMessage, Res extends ServerResponse>(
  passed: ExpressRateLimitOptions<Req, Res>,
) {
  // A property that is undefined is the same as one that is missing.
  const entries = Object.entries(passed).filter(([, value]) => value !== undefined)
  const defined = Object.fromEntries(entries) as ExpressRateLimitOptions<Req, Res>
  const { logger, validate = true } = defined
  const diagnose = createDiagnose(toWarnings(validate))
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
  const counter = store
    ? countInStore(store, storeTimeoutMs)
    : countInMemory(Math.ceil(windowMs), algorithm, options.limit)
  const outages = outageReport(diagnose, defined.passOnStoreError ? 'allow' : 'reject', () => performance.now())
  const health = {
    fail(error: unknown, message: string): void {
      if (logger) logger.error(error, `express-rate-limit: ${message}`)
      else outages.fail(error)
    },
    succeed: outages.succeed,
  }
  const reportHook = (error: unknown): void => {
    if (logger) logger.error(error, 'express-rate-limit: error from requestWasSuccessful.')
    else diagnose.hookFailed(error, 'requestWasSuccessful')
  }
  initialize(store, options, health.fail)
  const createKey = defined.keyGenerator ?? createDefaultKey(defined, diagnose)
  return { options, counter, health, reportHook, createKey }
}

/** Converts the names of checks of express-rate-limit that have a warning here. */
function toWarnings(validate: boolean | Readonly<Record<string, boolean>>): WarningOptions {
  if (typeof validate === 'boolean') return validate
  const { default: others = true, xForwardedForHeader = others, trustProxy = others } = validate
  return {
    WRN_RATELIMIT_PROXY_UNTRUSTED: xForwardedForHeader,
    WRN_RATELIMIT_PROXY_PERMISSIVE: trustProxy,
    WRN_RATELIMIT_NO_ADDRESS: others,
    WRN_RATELIMIT_OPTION_INVALID: others,
  }
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
