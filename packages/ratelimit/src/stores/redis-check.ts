import type { LimitResult, Policy } from '../algorithm.ts'
import { digest } from '../digest.ts'
import type { Charge } from '../store.ts'

/** One call of the store that is sent to Redis. */
export interface Check {
  action: 'consume' | 'adjust' | 'block' | 'reset'
  charges: readonly Charge[]
  resolve(outcomes: readonly LimitResult[]): void
  reject(error: unknown): void
}

/** Redis runs nothing else in the meantime: this many checks take about a millisecond. */
const MAX_CHECKS = 200

/**
 * Groups checks that one script call can handle: those that consume one charge of one policy, and
 * all others. In a cluster, the keys of a call must be in one slot.
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

/** Returns the policy of a check that consumes one charge. */
export function getPolicy({ action, charges }: Check): Policy | undefined {
  return action === 'consume' && charges.length === 1 ? charges[0]?.policy : undefined
}

const MAX_NAMES = 10_000

/**
 * Creates names such as `rl:{<slot>}:<policy>`: in a cluster, the part in braces selects the node.
 * Keys are hashed: they may be long, personal or secret, and anyone with access to Redis can read
 * its keys.
 */
export function createKeyNamer(prefix: string): (charge: Charge) => string {
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

/**
 * Formats the arguments of `consume` scripts, whose checks consume one charge of one policy each.
 */
export function formatConsume(checks: readonly Check[], { limit, windowMs, burst, scale, interval }: Policy): string[] {
  const args = [String(limit), String(windowMs), String(burst), String(scale), String(interval)]
  const pairs: string[] = []
  let isAlike = true
  for (const { charges } of checks) {
    const cost = String(charges[0]?.cost)
    const parameter = getParameter(charges[0])
    pairs.push(cost, parameter)
    isAlike &&= cost === pairs[0] && parameter === pairs[1]
  }
  return args.concat(isAlike ? pairs.slice(0, 2) : pairs)
}

/** Formats the arguments of `mixed` scripts. */
export function formatMixed(checks: readonly Check[]): string[] {
  const policies = new Map<Policy, number>()
  const actions = checks.flatMap(({ action, charges }) => {
    const args = charges.flatMap((charge) => {
      const index = policies.get(charge.policy) ?? policies.size + 1
      policies.set(charge.policy, index)
      return [String(index), String(charge.cost), getParameter(charge)]
    })
    return [action, String(charges.length), ...args]
  })
  const header = [...policies.keys()].flatMap(({ algorithm, limit, windowMs, burst, scale, interval }) => [
    algorithm,
    ...[limit, windowMs, burst, scale, interval].map(String),
  ])
  return [String(policies.size), ...header, ...actions]
}

function getParameter(charge: Charge | undefined): string {
  return String(charge?.id ?? charge?.phase ?? 0)
}

/** Resolves each check with its part of the reply, and passes it to `note`. */
export function resolveChecks(
  checks: readonly Check[],
  reply: unknown,
  note: (check: Check, outcomes: readonly LimitResult[]) => void,
): void {
  let charges = 0
  for (const check of checks) charges += check.charges.length
  if (!Array.isArray(reply) || reply.length !== 3 * charges)
    throw new TypeError('ratelimit: the script call returned an unexpected reply')
  let index = 0
  const next = (): LimitResult => {
    const retryMs = Number(reply[index + 2])
    const result = {
      allowed: retryMs === 0,
      remaining: Number(reply[index]),
      resetMs: Number(reply[index + 1]),
      retryMs,
    }
    index += 3
    return result
  }
  for (const check of checks) {
    const outcomes = check.charges.map(next)
    note(check, outcomes)
    check.resolve(outcomes)
  }
}
