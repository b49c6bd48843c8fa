import { all, chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import { assertKnownOptions, assertOneOf, inspectValue } from '../../internal/options.ts'
import type { Policy } from './algorithm.ts'
import { digest } from './digest.ts'
import { getPhase } from './fixed-window.ts'
import { ipKey } from './key.ts'
import type { KeyGenerator, LimitBy, LimitOptions } from './options.ts'
import { definePolicy } from './policy.ts'
import { parseRate, type Rate } from './rate.ts'
import type { Charge } from './store.ts'

/** A validated limit of the options. */
export interface Limit<Req> {
  name: string
  /** Returns the key that counts the request; `undefined` if the limit does not count it. */
  createKey: KeyGenerator<Req>
  /** The policy of all keys; `undefined` if each key has its own rate. */
  policy: Policy | undefined
  /** Returns the policy of a key; `undefined` if the key has no limit. */
  findPolicy: (key: string, req: Req | undefined) => MaybePromise<Policy | undefined>
  /** The slot of all keys, if one request has several. */
  slot: string | undefined
  /** Whether fixed windows start at a different time for each key. */
  isPerKey: boolean
}

const LIMIT_OPTIONS = ['name', 'rate', 'unit', 'burst', 'algorithm', 'windowStart', 'by']
const LIMIT_BY: readonly LimitBy[] = ['client', 'user', 'ip', 'subnet', 'site', 'global']
const MAX_RATES = 1000

/** Validates the limits of the options. Throws a `TypeError` that names the first invalid one. */
export function defineLimits<Req>(
  limits: readonly LimitOptions<Req>[],
  group: string,
  by: LimitBy | KeyGenerator<Req>,
): Limit<Req>[] {
  if (!Array.isArray(limits) || limits.length === 0)
    throw new TypeError(`ratelimit: limits must be a list of at least one limit, got ${inspectValue(limits)}`)
  for (const limit of limits) assertKnownOptions('ratelimit', limit, LIMIT_OPTIONS)
  const names = new Set<string>()
  const slot = new Set(limits.map(({ by }) => by)).size > 1 ? group : undefined
  return limits.map((limit: LimitOptions<Req>) => {
    const name = limit.name ?? (limits.length === 1 ? 'default' : toName(limit.rate))
    const { windowStart, algorithm = 'gcra' } = limit
    if (windowStart !== undefined) assertOneOf('ratelimit', 'windowStart', windowStart, ['per-key', 'epoch'])
    if (windowStart !== undefined && algorithm !== 'fixed-window')
      throw new TypeError(`ratelimit: windowStart must be combined with fixed-window, got ${algorithm}`)
    if (names.has(name))
      throw new TypeError(`ratelimit: limits must have different names, got ${inspectValue(name)} twice`)
    names.add(name)
    return {
      name,
      createKey: defineKey(limit.by ?? by),
      ...definePolicies(limit, name, group),
      slot,
      isPerKey: windowStart !== 'epoch',
    }
  })
}

/** A client may choose the key: longer keys are stored as a digest. */
const MAX_KEY_LENGTH = 256

/** Creates the charges of the limits for a key, without those that have no limit for it. */
export function createCharges<Req>(
  limits: readonly Limit<Req>[],
  key: string,
  cost: number,
): MaybePromise<readonly Charge[]> {
  const [limit] = limits
  if (limit?.policy && limits.length === 1) return [toCharge(limit, limit.policy, key, cost)]
  return chain(all(limits.map((each) => createCharge(each, key, cost, undefined))), dropUndefined)
}

/** Creates the charge of a limit for a key; `undefined` if the key has no limit. */
export function createCharge<Req>(
  limit: Limit<Req>,
  key: string,
  cost: number,
  req: Req | undefined,
): MaybePromise<Charge | undefined> {
  if (limit.policy) return toCharge(limit, limit.policy, key, cost)
  if (typeof key !== 'string') throw createKeyError(key)
  return chain(limit.findPolicy(key, req), (policy) => policy && toCharge(limit, policy, key, cost))
}

/** Charges at most the whole limit. Throws a `TypeError` if the key is not a string. */
export function toCharge<Req>({ slot, isPerKey }: Limit<Req>, policy: Policy, key: string, cost: number): Charge {
  if (typeof key !== 'string') throw createKeyError(key)
  const short = key.length > MAX_KEY_LENGTH ? digest(key) : key
  const charge = { policy, key: short, cost: Math.min(cost, policy.burst), slot: slot ?? short }
  if (policy.algorithm === 'concurrency') return { ...charge, id: Math.floor(Math.random() * 2 ** 48) }
  if (policy.algorithm === 'fixed-window' && isPerKey) return { ...charge, phase: getPhase(short, policy.windowMs) }
  return charge
}

function createKeyError(key: unknown): TypeError {
  return new TypeError(`ratelimit: a key must be a string, got ${inspectValue(key)}`)
}

/** Charges without those of limits that do not count the request. */
export function dropUndefined(charges: readonly (Charge | undefined)[]): readonly Charge[] {
  return charges.filter((charge) => charge !== undefined)
}

/** Throws a `TypeError` unless the cost is a non-negative integer. */
export function checkCost(cost: unknown): number {
  if (typeof cost === 'number' && Number.isSafeInteger(cost) && cost >= 0) return cost
  throw new TypeError(`ratelimit: cost must be a non-negative integer, got ${inspectValue(cost)}`)
}

/** Converts a word to a function. */
function defineKey<Req>(by: LimitBy | KeyGenerator<Req>): KeyGenerator<Req> {
  if (typeof by === 'function') return by
  if (!LIMIT_BY.includes(by))
    throw new TypeError(`ratelimit: by must be a function or one of ${LIMIT_BY.join(', ')}, got ${inspectValue(by)}`)
  return KEYS[by]
}

// In some apps users choose their names: a name must not share the counter of an address.
const KEYS: Readonly<Record<LimitBy, KeyGenerator<unknown>>> = {
  client: (_req, { subnet, user }) => (user === undefined ? subnet : `user:${user}`),
  user: (_req, { user }) => (user === undefined ? undefined : `user:${user}`),
  ip: (_req, { ip }) => ip,
  subnet: (_req, { subnet }) => subnet,
  site: (_req, { ip }) => (ip.includes(':') ? ipKey(ip, 48) : undefined),
  global: () => 'global',
}

function toName(rate: unknown): string {
  if (typeof rate === 'string') return rate
  if (typeof rate !== 'function') parseRate(rate as Rate)
  throw new TypeError(`ratelimit: each of several limits must have a name, got ${inspectValue(rate)} without one`)
}

function definePolicies<Req>(
  { rate, unit, burst, algorithm = 'gcra' }: LimitOptions<Req>,
  name: string,
  group: string,
): Pick<Limit<Req>, 'policy' | 'findPolicy'> {
  const define = (value: string | Rate): Policy => definePolicy({ name, group, rate: value, unit, burst, algorithm })
  if (typeof rate !== 'function') {
    const policy = define(rate)
    return { policy, findPolicy: () => policy }
  }
  const cached = new Map<string, Policy>()
  const find = (value: string | Rate): Policy => {
    const text = typeof value === 'string' ? value : `${value.limit}/${value.windowMs}ms`
    const existing = cached.get(text)
    if (existing) return existing
    if (cached.size >= MAX_RATES) cached.clear()
    const policy = define(value)
    cached.set(text, policy)
    return policy
  }
  // JavaScript may return null for no limit.
  const findOrNone = (value: string | Rate | null | undefined): Policy | undefined =>
    value === undefined || value === null ? undefined : find(value)
  return { policy: undefined, findPolicy: (key, req) => chain(rate(key, req), findOrNone) }
}
