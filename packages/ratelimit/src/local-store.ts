import type { LimitResult, Policy } from './algorithm.ts'
import { definePolicy } from './policy.ts'
import type { Charge } from './store.ts'
import { CounterMemory } from './stores/memory.ts'

const MAX_POLICIES = 1000

/**
 * Creates the substitute for a store: it counts in this process, with this process's share of each
 * limit.
 */
export function localStore(instances: number, now: () => number) {
  const memory = new CounterMemory()
  const shares = new Map<string, Policy>()
  const getShare = (policy: Policy): Policy => {
    const cached = shares.get(policy.id)
    if (cached) return cached
    if (shares.size >= MAX_POLICIES) shares.clear()
    const { name, unit, algorithm, windowMs } = policy
    const limit = Math.ceil(policy.limit / instances)
    const burst = policy.burst === policy.limit ? undefined : Math.ceil(policy.burst / instances)
    const share = definePolicy({ name, group: policy.id, rate: { limit, windowMs }, unit, burst, algorithm })
    shares.set(policy.id, share)
    return share
  }
  const run = (method: 'consume' | 'adjust', charges: readonly Charge[]): readonly LimitResult[] =>
    memory[method](charges, now())
  const shared = (charges: readonly Charge[]): Charge[] =>
    charges.map((charge) => {
      const policy = getShare(charge.policy)
      return { ...charge, policy, cost: Math.min(charge.cost, policy.burst) }
    })
  return { run, shared }
}
