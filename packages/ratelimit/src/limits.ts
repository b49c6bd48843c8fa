import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import type { Policy } from './algorithm.ts'
import { digest } from './digest.ts'
import { phaseOf } from './fixed-window.ts'
import { addressKey } from './key.ts'
import { oneOf } from './one-of.ts'
import type { Client, CountedBy, KeyOf, LimitOptions } from './options.ts'
import { definePolicy } from './policy.ts'
import type { Rate } from './rate.ts'
import { after, type Soon } from './soon.ts'
import type { Charge } from './store.ts'

/** A limit of the options, checked. */
export interface Limit<Req> {
  name: string
  /** Which key counts the request; `undefined`: none does. */
  keyOf: KeyOf<Req>
  /** The policy of a key; `undefined`: the key has no limit. */
  policyOf: (key: string, req: Req | undefined) => Soon<Policy | undefined>
  /** Where it is counted, unless each key has a rate of its own. */
  policyId: string | undefined
  /** The slot of all keys, where one request has several. */
  slot: string | undefined
  /** Whether fixed windows begin at another moment for each key. */
  isSpread: boolean
}

const LIMIT_OPTIONS = ['name', 'rate', 'unit', 'burst', 'algorithm', 'windows', 'by']
const COUNTED_BY: readonly CountedBy[] = ['client', 'principal', 'subnet', 'address', 'site', 'all']
const MOST_RATES = 1000

/** Checks the limits of the options. Throws a `TypeError` that names the first wrong one. */
export function defineLimits<Req>(
  limits: readonly LimitOptions<Req>[],
  group: string,
  key: CountedBy | KeyOf<Req>,
): Limit<Req>[] {
  if (!Array.isArray(limits) || limits.length === 0)
    throw new TypeError(`ratelimit: limits must be a list of at least one limit, got ${inspectValue(limits)}`)
  const names = new Set<string>()
  const slot = new Set(limits.map(({ by }) => by)).size > 1 ? group : undefined
  return limits.map((limit: LimitOptions<Req>) => {
    assertKnownOptions('ratelimit', limit, LIMIT_OPTIONS)
    const name = limit.name ?? (limits.length === 1 ? 'default' : nameOf(limit.rate))
    if (names.has(name)) throw new TypeError(`ratelimit: two limits have the name ${inspectValue(name)}`)
    names.add(name)
    return {
      name,
      keyOf: limit.by === undefined ? defineKey('key', key) : defineKey('by', limit.by),
      ...definePolicies(limit, name, group),
      slot,
      isSpread: oneOf('windows', limit.windows ?? 'spread', ['spread', 'epoch']) === 'spread',
    }
  })
}

/** A client may have named the key: what is longer is kept as its digest. */
const LONGEST_KEY = 256

/** So many units of a limit for a key, at most all that it has; `undefined` where the key has no limit. */
export function chargeOf<Req>(
  { policyOf, slot, isSpread }: Limit<Req>,
  key: string,
  cost: number,
  req: Req | undefined,
): Soon<Charge | undefined> {
  if (typeof key !== 'string') throw new TypeError(`ratelimit: a key must be a string, got ${inspectValue(key)}`)
  return after(policyOf(key, req), (policy) => {
    if (!policy) return undefined
    const short = key.length > LONGEST_KEY ? digest(key) : key
    const charge = { policy, key: short, cost: Math.min(cost, policy.burst), slot: slot ?? short }
    if (policy.algorithm === 'concurrency') return { ...charge, id: Math.floor(Math.random() * 2 ** 48) }
    if (policy.algorithm === 'fixed-window' && isSpread) return { ...charge, phase: phaseOf(short, policy.windowMs) }
    return charge
  })
}

/** Turns a word or a function into a function. */
function defineKey<Req>(option: string, by: CountedBy | KeyOf<Req>): KeyOf<Req> {
  if (typeof by === 'function') return by
  if (!COUNTED_BY.includes(by))
    throw new TypeError(
      `ratelimit: ${option} must be a function or one of ${COUNTED_BY.join(', ')}, got ${inspectValue(by)}`,
    )
  return (_req, client) => keyBy(by, client)
}

// What a principal is called is the client's own choice in some services: it must not meet the counter of an address.
function keyBy(by: CountedBy, { address, subnet, principal }: Client): string | undefined {
  if (by === 'all') return 'all'
  if (by === 'address') return address
  if (by === 'site') return address.includes(':') ? addressKey(address, 48) : undefined
  if (by !== 'subnet' && principal !== undefined) return `user:${principal}`
  return by === 'principal' ? undefined : subnet
}

function nameOf(rate: unknown): string {
  if (typeof rate === 'string') return rate
  throw new TypeError('ratelimit: each of several limits needs a name')
}

function definePolicies<Req>(
  { rate, unit, burst, algorithm = 'gcra' }: LimitOptions<Req>,
  name: string,
  group: string,
): Pick<Limit<Req>, 'policyId' | 'policyOf'> {
  const define = (value: string | Rate): Policy => definePolicy({ name, group, rate: value, unit, burst, algorithm })
  if (typeof rate !== 'function') {
    const policy = define(rate)
    return { policyId: policy.id, policyOf: () => policy }
  }
  const known = new Map<string, Policy>()
  const find = (value: string | Rate): Policy => {
    const text = typeof value === 'string' ? value : `${value.limit}/${value.windowMs}ms`
    const before = known.get(text)
    if (before) return before
    if (known.size >= MOST_RATES) known.clear()
    const policy = define(value)
    known.set(text, policy)
    return policy
  }
  return { policyId: undefined, policyOf: (key, req) => after(rate(key, req), (value) => value && find(value)) }
}
