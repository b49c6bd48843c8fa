import type { IncomingMessage } from '../../internal/middleware.ts'
import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { locator } from './client.ts'
import { type Diagnose, diagnoser } from './diagnose.ts'
import { fieldMaker, HEADER_STYLES, type HeaderStyle } from './fields.ts'
import { freshness } from './fresh.ts'
import { guardStore, type OnStoreError } from './guarded-store.ts'
import { type Counter, checkCost } from './limiter.ts'
import { defineLimits, type Limit } from './limits.ts'
import { oneOf } from './one-of.ts'
import { type LimitOptions, OPTIONS, type RateLimitOptions } from './options.ts'
import { matchNetworks } from './proxies.ts'
import { checkWhole } from './rate.ts'
import type { RateLimitStore } from './store.ts'
import { memoryStore } from './stores/memory.ts'

const ON_STORE_ERROR: readonly OnStoreError[] = ['local', 'open', 'closed']

/** The options of a limiter, checked once and turned into what a request needs. */
export function settingsOf<Req extends IncomingMessage>(options: RateLimitOptions<Req>) {
  assertKnownOptions('ratelimit', options, Object.keys(OPTIONS))
  const { now = Date.now, group = 'default', cost = 1, shadow = false, allow, deny, onStoreError } = options
  const diagnose = diagnoser(options.warnings)
  if (typeof cost !== 'function') checkCost(cost)
  checkFunctions(options, ['principal', 'settle', 'skip', 'onDecision', 'now'])
  const counter = counterOf(options, group, diagnose)
  return {
    counter,
    begin: freshness(counter.owned && counter.limits[0]?.policyId, diagnose),
    locate: locator(options.trustProxy, prefixOf(options.ipv6Prefix), diagnose),
    isAllowed: allow && matchNetworks('allow', allow),
    isDenied: deny && matchNetworks('deny', deny),
    fieldsOf: fieldMaker({
      styles: shadow ? [] : stylesOf(options.headers),
      reset: oneOf('reset', options.reset ?? 'epoch', ['epoch', 'delta'] as const),
      partitionSalt: options.partitionSalt,
      now,
    }),
    retryJitter: jitterOf(options.retryJitter ?? 0),
    costOf: cost,
    storeErrorOf: typeof onStoreError === 'function' ? onStoreError : undefined,
    shadow,
    diagnose,
    ...pick(options),
  }
}

function pick<Req>({ principal, settle, skip, onRefused, onDecision }: RateLimitOptions<Req>) {
  return { principal, settle, skip, onRefused, onDecision }
}

function counterOf<Req extends IncomingMessage>(
  options: RateLimitOptions<Req>,
  group: string,
  diagnose: Diagnose,
): Counter<Req> {
  const { storeTimeoutMs = 50, onStoreError = 'local', instances = 1, key = 'client' } = options
  checkWhole('storeTimeoutMs', storeTimeoutMs, 60_000)
  checkWhole('instances', instances)
  const limits = defineLimits<Req>(limitsOf(options), group, key)
  for (const { rate } of limitsOf(options)) {
    if (typeof rate === 'object' && rate.windowMs < 1000)
      diagnose.doubt(
        'WRN_RATELIMIT_TINY_WINDOW',
        `windowMs is ${rate.windowMs}, less than a second: for ${rate.windowMs} seconds write '${rate.limit}/${rate.windowMs}s'.`,
      )
  }
  const owned = options.store ? undefined : memoryStore(options.now ? { now: options.now } : {})
  const store = owned ?? options.store
  if (typeof store?.consume !== 'function')
    throw new TypeError(`ratelimit: store must be a RateLimitStore, got ${inspectValue(store)}`)
  if (options.store && options.group === undefined) doubtShared(options.store, limits, diagnose)
  const onError = typeof onStoreError === 'function' ? 'local' : oneOf('onStoreError', onStoreError, ON_STORE_ERROR)
  return {
    limits,
    store: guardStore({
      ...{ store, timeoutMs: storeTimeoutMs, onError, instances, diagnose },
      // A system clock that is set back must not keep the breaker open for so long.
      now: options.now ?? (() => performance.now()),
    }),
    owned,
  }
}

const LIMITS_IN_USE = Symbol.for('svc.ratelimit.limits')

/** Two limiters without a group that count the same limit in the same store would each see half of what they count. */
function doubtShared<Req>(
  store: RateLimitStore & { [LIMITS_IN_USE]?: Set<string> },
  limits: Limit<Req>[],
  diagnose: Diagnose,
): void {
  if (!Object.isExtensible(store)) return
  if (!store[LIMITS_IN_USE]) Object.defineProperty(store, LIMITS_IN_USE, { value: new Set<string>() })
  for (const { policyId } of limits) {
    if (policyId === undefined) continue
    if (store[LIMITS_IN_USE]?.has(policyId))
      diagnose.doubt(
        'WRN_RATELIMIT_STORE_SHARED',
        'Two limiters with equal limits share a store and therefore their counters. Set group: to one name if that is meant, else to two.',
      )
    store[LIMITS_IN_USE]?.add(policyId)
  }
}

/** The list in `limits`, or the one limit that is written into the options themselves. */
function limitsOf<Req>(options: RateLimitOptions<Req>): readonly LimitOptions<Req>[] {
  const own = Object.entries(options).filter(
    ([name, value]) => value !== undefined && OPTIONS[name as keyof RateLimitOptions] === 'limit',
  )
  if (options.limits === undefined) {
    if (options.rate === undefined) throw new TypeError("ratelimit: needs a rate such as '100/15m', or limits")
    return [Object.fromEntries(own) as unknown as LimitOptions<Req>]
  }
  const [stray] = own
  if (stray) throw new TypeError(`ratelimit: ${stray[0]} belongs into the entries of limits, where limits is given`)
  return options.limits
}

function stylesOf(headers: RateLimitOptions['headers'] = 'x'): readonly HeaderStyle[] {
  const styles = typeof headers === 'string' ? [headers] : headers
  if (!Array.isArray(styles)) throw new TypeError(`ratelimit: headers must be a list, got ${inspectValue(headers)}`)
  for (const style of styles) oneOf('headers', style, HEADER_STYLES)
  if (styles.filter((style) => style !== 'x').length > 1)
    throw new TypeError('ratelimit: headers can hold one draft, since all drafts use the same field names')
  return styles
}

function prefixOf(prefix = 64): number {
  if (Number.isInteger(prefix) && prefix >= 32 && prefix <= 128) return prefix
  throw new TypeError(`ratelimit: ipv6Prefix must be an integer from 32 to 128, got ${inspectValue(prefix)}`)
}

function jitterOf(seconds: number): () => number {
  if (!Number.isSafeInteger(seconds) || seconds < 0)
    throw new TypeError(`ratelimit: retryJitter must be whole seconds from 0 on, got ${inspectValue(seconds)}`)
  return seconds === 0 ? () => 0 : () => Math.floor(Math.random() * (seconds + 1))
}

function checkFunctions(options: object, names: readonly string[]): void {
  for (const [name, value] of Object.entries(options)) {
    if (names.includes(name) && value !== undefined && typeof value !== 'function')
      throw new TypeError(`ratelimit: ${name} must be a function, got ${inspectValue(value)}`)
  }
}
