import { chain, type MaybePromise } from '../../internal/maybe-promise.ts'
import { assertKnownOptions, assertOneOf, inspectValue } from '../../internal/options.ts'
import type { Policy } from './algorithm.ts'
import { digest } from './digest.ts'
import { getPhase } from './fixed-window.ts'
import { ipKey } from './key.ts'
import type { Client, KeyGenerator, LimitBy, LimitOptions } from './options.ts'
import { definePolicy } from './policy.ts'
import type { Rate } from './rate.ts'
import type { Charge } from './store.ts'

/** A limit of the options, checked. */
export interface Limit<Req> {
  name: string
  /** Which key counts the request; `undefined`: none does. */
  createKey: KeyGenerator<Req>
  /** The policy of a key; `undefined`: the key has no limit. */
  getPolicy: (key: string, req: Req | undefined) => MaybePromise<Policy | undefined>
  /** Where it is counted, unless each key has a rate of its own. */
  policyId: string | undefined
  /** The slot of all keys, where one request has several. */
  slot: string | undefined
  /** Whether fixed windows begin at another moment for each key. */
  isPerKey: boolean
}

const LIMIT_OPTIONS = ['name', 'rate', 'unit', 'burst', 'algorithm', 'windowStart', 'by']
const LIMIT_BY: readonly LimitBy[] = ['client', 'user', 'ip', 'subnet', 'site', 'global']
const MAX_RATES = 1000

/** Checks the limits of the options. Throws a `TypeError` that names the first wrong one. */
export function defineLimits<Req>(
  limits: readonly LimitOptions<Req>[],
  group: string,
  by: LimitBy | KeyGenerator<Req>,
): Limit<Req>[] {
  if (!Array.isArray(limits) || limits.length === 0)
    throw new TypeError(`ratelimit: limits must be a list of at least one limit, got ${inspectValue(limits)}`)
  const names = new Set<string>()
  const slot = new Set(limits.map(({ by }) => by)).size > 1 ? group : undefined
  return limits.map((limit: LimitOptions<Req>) => {
    assertKnownOptions('ratelimit', limit, LIMIT_OPTIONS)
    const name = limit.name ?? (limits.length === 1 ? 'default' : toName(limit.rate))
    const { windowStart = 'per-key' } = limit
    assertOneOf('ratelimit', 'windowStart', windowStart, ['per-key', 'epoch'])
    if (names.has(name)) throw new TypeError(`ratelimit: two limits have the name ${inspectValue(name)}`)
    names.add(name)
    return {
      name,
      createKey: defineKey(limit.by ?? by),
      ...definePolicies(limit, name, group),
      slot,
      isPerKey: windowStart === 'per-key',
    }
  })
}

/** A client may have named the key: what is longer is kept as its digest. */
const MAX_KEY_LENGTH = 256

/** So many units of a limit for a key, at most all that it has; `undefined` where the key has no limit. */
export function createCharge<Req>(
  { getPolicy, slot, isPerKey }: Limit<Req>,
  key: string,
  cost: number,
  req: Req | undefined,
): MaybePromise<Charge | undefined> {
  if (typeof key !== 'string') throw new TypeError(`ratelimit: a key must be a string, got ${inspectValue(key)}`)
  return chain(getPolicy(key, req), (policy) => {
    if (!policy) return undefined
    const short = key.length > MAX_KEY_LENGTH ? digest(key) : key
    const charge = { policy, key: short, cost: Math.min(cost, policy.burst), slot: slot ?? short }
    if (policy.algorithm === 'concurrency') return { ...charge, id: Math.floor(Math.random() * 2 ** 48) }
    if (policy.algorithm === 'fixed-window' && isPerKey) return { ...charge, phase: getPhase(short, policy.windowMs) }
    return charge
  })
}

/** Turns a word or a function into a function. */
function defineKey<Req>(by: LimitBy | KeyGenerator<Req>): KeyGenerator<Req> {
  if (typeof by === 'function') return by
  if (!LIMIT_BY.includes(by))
    throw new TypeError(`ratelimit: by must be a function or one of ${LIMIT_BY.join(', ')}, got ${inspectValue(by)}`)
  return (_req, client) => keyBy(by, client)
}

// What a user is called is the client's own choice in some services: it must not meet the counter of an address.
function keyBy(by: LimitBy, { ip, subnet, user }: Client): string | undefined {
  if (by === 'global') return 'global'
  if (by === 'ip') return ip
  if (by === 'site') return ip.includes(':') ? ipKey(ip, 48) : undefined
  if (by !== 'subnet' && user !== undefined) return `user:${user}`
  return by === 'user' ? undefined : subnet
}

function toName(rate: unknown): string {
  if (typeof rate === 'string') return rate
  throw new TypeError('ratelimit: each of several limits needs a name')
}

function definePolicies<Req>(
  { rate, unit, burst, algorithm = 'gcra' }: LimitOptions<Req>,
  name: string,
  group: string,
): Pick<Limit<Req>, 'policyId' | 'getPolicy'> {
  const define = (value: string | Rate): Policy => definePolicy({ name, group, rate: value, unit, burst, algorithm })
  if (typeof rate !== 'function') {
    const policy = define(rate)
    return { policyId: policy.id, getPolicy: () => policy }
  }
  const cached = new Map<string, Policy>()
  const find = (value: string | Rate): Policy => {
    const text = typeof value === 'string' ? value : `${value.limit}/${value.windowMs}ms`
    const before = cached.get(text)
    if (before) return before
    if (cached.size >= MAX_RATES) cached.clear()
    const policy = define(value)
    cached.set(text, policy)
    return policy
  }
  return { policyId: undefined, getPolicy: (key, req) => chain(rate(key, req), (value) => value && find(value)) }
}
