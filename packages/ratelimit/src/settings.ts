import {
  assertInteger,
  assertKnownOptions,
  assertOneOf,
  assertTypes,
  assertWordOrFunction,
  inspectValue,
  type OptionTypes,
} from '../../internal/options.ts'
import type { Located } from './client.ts'
import { createDiagnose, type Diagnose } from './diagnose.ts'
import { guardStore, memoryWithoutGuard } from './guarded-store.ts'
import { compileHeaders, HEADER_STYLES, type HeaderStyle } from './headers.ts'
import type { Counter } from './limiter.ts'
import { checkCost, defineLimits, type Limit } from './limits.ts'
import { type LimitOptions, OPTIONS, type RateLimitOptions } from './options.ts'
import { matchNetworks, type TrustProxy } from './proxies.ts'
import { assertPositiveInteger, type RateText } from './rate.ts'
import type { OnStoreError } from './receipt.ts'
import { recreationWarning } from './recreation-warning.ts'
import type { RateLimitStore } from './store.ts'
import { steadyNow } from './stores/memory.ts'

/** Host-specific parts of a limiter. */
export interface Host<Req> {
  /** `byAddress`: whether a limit counts by the address of the client. */
  locator(
    trustProxy: TrustProxy | undefined,
    ipv6Subnet: number,
    diagnose: Diagnose,
    byAddress: boolean,
  ): (req: Req) => Located
  /** Whether the request is a CORS preflight, whose response has no use for rate limits. */
  isPreflight(req: Req): boolean
}

/** The checked options of a limiter. */
export type Settings<Req extends object, Res> = ReturnType<typeof resolveSettings<Req, Res>>

const STORE_METHODS = ['consume', 'adjust', 'block', 'reset'] as const
const ON_STORE_ERROR: readonly OnStoreError[] = ['allow', 'reject', 'local']

const TYPES: OptionTypes = {
  user: 'function',
  finalCost: 'function',
  skip: 'function',
  onDecision: 'function',
  now: 'function',
  allowList: 'strings',
  denyList: 'strings',
  reportOnly: 'boolean',
  partitionSalt: 'string',
  group: 'string',
}

/** Names of the same options in other rate limiters. */
const PEER_NAMES: Readonly<Record<string, keyof RateLimitOptions>> = {
  limit: 'rate',
  max: 'rate',
  points: 'rate',
  windowMs: 'rate',
  duration: 'rate',
  timeWindow: 'rate',
  keyGenerator: 'by',
  key: 'by',
  keyPrefix: 'group',
  legacyHeaders: 'headers',
  standardHeaders: 'headers',
  passOnStoreError: 'onStoreError',
  skipOnError: 'onStoreError',
  handler: 'onRefused',
  principal: 'user',
}

/** Validates the options of a limiter once, and compiles them for requests. */
export function resolveSettings<Req extends object, Res>(
  input: RateText | RateLimitOptions<Req, Res>,
  host: Host<Req>,
) {
  const options: RateLimitOptions<Req, Res> = typeof input === 'string' ? { rate: input } : input
  if (typeof options !== 'object' || options === null)
    throw new TypeError(
      `ratelimit: options must be a rate such as '100/15m' or an object, got ${inspectValue(options)}`,
    )
  assertKnownOptions('ratelimit', options, Object.keys(OPTIONS), PEER_NAMES)
  const { now = Date.now, group = 'default', cost = 1, reportOnly = false, allowList, denyList, onStoreError } = options
  const diagnose = createDiagnose(options.warnings)
  if (typeof cost !== 'function') checkCost(cost)
  assertTypes('ratelimit', options, TYPES)
  assertWordOrFunction('ratelimit', 'onRefused', options.onRefused, ['next', 'json'])
  const { resetFormat = 'epoch', partitionSalt } = options
  const styles = resolveStyles(options.headers)
  if (partitionSalt === '')
    throw new TypeError('ratelimit: partitionSalt must not be empty, since a plain hash reveals the client')
  assertOneOf('ratelimit', 'resetFormat', resetFormat, ['epoch', 'delta'])
  const counter = createCounter(options, group, diagnose)
  return {
    counter,
    isPreflight: host.isPreflight,
    begin: recreationWarning(options.store ? undefined : counter.limits[0]?.policy?.id, diagnose),
    locate: host.locator(options.trustProxy, checkSubnet(options.ipv6Subnet), diagnose, counter.byAddress),
    isAllowed: allowList && matchNetworks('allowList', allowList),
    isDenied: denyList && matchNetworks('denyList', denyList),
    headersFor: compileHeaders({
      styles: reportOnly ? [] : styles,
      resetFormat,
      partitionSalt,
      now,
    }),
    jitterSeconds: createJitter(options.retryJitterSeconds ?? 0),
    cost,
    storeErrorFor: typeof onStoreError === 'function' ? onStoreError : undefined,
    reportOnly,
    diagnose,
    user: options.user,
    finalCost: options.finalCost,
    skip: options.skip,
    onRefused: options.onRefused,
    onDecision: options.onDecision,
  }
}

function createCounter<Req, Res>(options: RateLimitOptions<Req, Res>, group: string, diagnose: Diagnose): Counter<Req> {
  const { storeTimeoutMs: timeoutMs = 50, onStoreError = 'local', instances = 1, by = 'client' } = options
  assertPositiveInteger('storeTimeoutMs', timeoutMs, 60_000)
  assertPositiveInteger('instances', instances)
  const { store } = options
  const algorithm = store?.algorithm
  const entries = listLimits(options).map((limit) => (algorithm ? { ...limit, algorithm } : limit))
  const limits = defineLimits<Req>(entries, group, by)
  for (const { rate } of entries) {
    if (typeof rate === 'object' && rate.windowMs < 1000)
      diagnose.warnOnce(
        'WRN_RATELIMIT_TINY_WINDOW',
        `windowMs is ${rate.windowMs}, less than a second. For ${rate.windowMs} seconds write '${rate.limit}/${rate.windowMs}s'.`,
      )
  }
  // A monotonic clock: if the system clock is set back, the circuit breaker must not stay open.
  const { now = steadyNow } = options
  if (store && !STORE_METHODS.every((name) => typeof store[name] === 'function'))
    throw new TypeError(`ratelimit: store must be a RateLimitStore such as memoryStore(), got ${inspectValue(store)}`)
  if (store && options.group === undefined) warnShared(store, limits, diagnose)
  assertWordOrFunction('ratelimit', 'onStoreError', onStoreError, ON_STORE_ERROR)
  const onError = typeof onStoreError === 'function' ? 'local' : onStoreError
  return {
    limits,
    byAddress: entries.some((limit) => ['client', 'ip', 'subnet'].includes(String(limit.by ?? by))),
    hasLeases: entries.some(({ algorithm }) => algorithm === 'concurrency'),
    store: store ? guardStore({ store, timeoutMs, onError, instances, diagnose, now }) : memoryWithoutGuard(now),
  }
}

const LIMITS_IN_USE = Symbol.for('svc.ratelimit.limits')

/**
 * Two limiters without a group that count the same limit in the same store count each other's
 * requests.
 */
function warnShared<Req>(
  store: RateLimitStore & { [LIMITS_IN_USE]?: Set<string> },
  limits: readonly Limit<Req>[],
  diagnose: Diagnose,
): void {
  if (!Object.isExtensible(store)) return
  if (!store[LIMITS_IN_USE]) Object.defineProperty(store, LIMITS_IN_USE, { value: new Set<string>() })
  for (const { policy } of limits) {
    if (policy === undefined) continue
    if (store[LIMITS_IN_USE]?.has(policy.id))
      diagnose.warnOnce(
        'WRN_RATELIMIT_STORE_SHARED',
        'Two limiters with equal limits share a store, and therefore their counters. Set the same group on both if this is intended, otherwise different groups.',
      )
    store[LIMITS_IN_USE]?.add(policy.id)
  }
}

/** The entries of `limits`, or the single limit that is part of the options themselves. */
function listLimits<Req, Res>(options: RateLimitOptions<Req, Res>): readonly LimitOptions<Req>[] {
  const { name, rate, unit, burst, algorithm, windowStart } = options
  const limit = { name, rate, unit, burst, algorithm, windowStart }
  const defined = Object.entries(limit).filter(([, value]) => value !== undefined)
  if (options.limits === undefined) {
    if (rate === undefined)
      throw new TypeError("ratelimit: rate must be a rate such as '100/15m', got undefined; or set limits")
    return [Object.fromEntries(defined) as unknown as LimitOptions<Req>]
  }
  const [stray] = defined
  if (stray)
    throw new TypeError(`ratelimit: ${stray[0]} cannot be combined with limits; set it on each entry of limits`)
  return options.limits
}

function resolveStyles(headers: RateLimitOptions['headers'] = 'x-ratelimit'): readonly HeaderStyle[] {
  if (headers === 'none') return []
  const styles = typeof headers === 'string' ? [headers] : headers
  if (!Array.isArray(styles))
    throw new TypeError(
      `ratelimit: headers must be 'none', one of ${HEADER_STYLES.join(', ')}, or a list of them, got ${inspectValue(headers)}`,
    )
  for (const style of styles) assertOneOf('ratelimit', 'headers', style, HEADER_STYLES)
  if (styles.filter((style) => style !== 'x-ratelimit').length > 1)
    throw new TypeError('ratelimit: headers must name at most one draft, since all drafts use the same header names')
  return styles
}

function checkSubnet(prefix = 64): number {
  assertInteger('ratelimit', 'ipv6Subnet', prefix, { min: 32, max: 128 })
  return prefix
}

function createJitter(seconds: number): () => number {
  assertInteger('ratelimit', 'retryJitterSeconds', seconds)
  return seconds === 0 ? () => 0 : () => Math.floor(Math.random() * (seconds + 1))
}
