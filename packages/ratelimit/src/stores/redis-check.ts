import type { LimitResult, Policy } from '../algorithm.ts'
import { digest } from '../digest.ts'
import type { Charge } from '../store.ts'

/** One call of the store on its way to Redis. */
export interface Check {
  action: 'consume' | 'adjust' | 'block' | 'reset'
  charges: readonly Charge[]
  resolve(outcomes: readonly LimitResult[]): void
  reject(error: unknown): void
}

/** Redis runs nothing else meanwhile: so many checks take about a millisecond. */
const MAX_CHECKS = 200

/**
 * Puts checks together that one call of a script can serve: those that take one charge of one policy, and all others.
 * In a cluster, the keys of a call have to lie in one slot.
 */
export function groupChecks(checks: readonly Check[], cluster: boolean): Check[][] {
  const groups: Check[][] = []
  const open = new Map<unknown, Check[]>()
  for (const check of checks) {
    const policy = getPolicy(check)
    const id = cluster ? `${check.charges[0]?.slot} ${policy?.id}` : policy
    let group = open.get(id)
    if (!group || group.length === MAX_CHECKS) {
      group = []
      open.set(id, group)
      groups.push(group)
    }
    group.push(check)
  }
  return groups
}

/** The policy of a check that takes one charge. */
export function getPolicy({ action, charges }: Check): Policy | undefined {
  return action === 'consume' && charges.length === 1 ? charges[0]?.policy : undefined
}

const MAX_NAMES = 10_000

/**
 * `rl:{<slot>}:<policy>`: in a cluster, what stands in braces decides on the machine. Keys are hashed: they may be long,
 * name a person or be a secret, and anyone with access to Redis can read its keys.
 */
export function keyNamer(prefix: string): (charge: Charge) => string {
  const cached = new Map<string, string>()
  const getDigest = (text: string): string => {
    let digested = cached.get(text)
    if (digested === undefined) {
      digested = digest(text)
      if (cached.size >= MAX_NAMES) cached.clear()
      cached.set(text, digested)
    }
    return digested
  }
  return ({ policy, key, slot }) =>
    `${prefix}{${getDigest(slot)}}:${policy.id}${slot === key ? '' : `:${getDigest(key)}`}`
}

/** The words behind the script where all checks take one charge of a policy. */
export function wordsToTake(checks: readonly Check[], { limit, windowMs, burst, scale, interval }: Policy): string[] {
  const pairs = checks.map(({ charges: [charge] }) => [String(charge?.cost), getOwn(charge)] as const)
  const [first] = pairs
  const isAlike = pairs.every(([cost, ownResults]) => cost === first?.[0] && ownResults === first[1])
  return [...[limit, windowMs, burst, scale, interval].map(String), ...(isAlike ? (first ?? []) : pairs.flat())]
}

/** The words behind the script for checks of all kinds. */
export function wordsToMix(checks: readonly Check[]): string[] {
  const policies = new Map<Policy, number>()
  const words = checks.flatMap(({ action, charges }) => {
    const ownResults = charges.flatMap((charge) => {
      const number = policies.get(charge.policy) ?? policies.size + 1
      policies.set(charge.policy, number)
      return [String(number), String(charge.cost), getOwn(charge)]
    })
    return [action, String(charges.length), ...ownResults]
  })
  const header = [...policies.keys()].flatMap(({ algorithm, limit, windowMs, burst, scale, interval }) => [
    algorithm,
    ...[limit, windowMs, burst, scale, interval].map(String),
  ])
  return [String(policies.size), ...header, ...words]
}

function getOwn(charge: Charge | undefined): string {
  return String(charge?.id ?? charge?.phase ?? 0)
}

/** Gives each check its part of the reply. */
export function deliver(checks: readonly Check[], reply: unknown): void {
  const charges = checks.reduce((sum, check) => sum + check.charges.length, 0)
  if (!Array.isArray(reply) || reply.length !== 3 * charges)
    throw new TypeError('ratelimit: Redis answered the script with something else than its reply')
  let index = 0
  const next = (): LimitResult => {
    const retryMs = Number(reply[index + 2])
    const outcome = {
      allowed: retryMs === 0,
      remaining: Number(reply[index]),
      resetMs: Number(reply[index + 1]),
      retryMs,
    }
    index += 3
    return outcome
  }
  for (const check of checks) check.resolve(check.charges.map(next))
}
