import type { Algorithm, CounterState, LimitResult, Policy } from './algorithm.ts'

/**
 * Counts concurrent requests. Its state is leases: id, time of expiry, units. All leases are of the
 * same length, so the first one expires first. A lease ends when it is returned, or when it
 * expires, so that a crashed process does not block its clients.
 */
export const concurrency: Algorithm = {
  take(state, now, policy, cost, id = 0) {
    const leases = dropExpired(state, now, policy)
    const used = countUnits(leases)
    if (used + cost > policy.limit && cost > 0) {
      const next = getEnd(state) > now + policy.windowMs ? leases : state
      return [next, toResult(leases, used, now, policy, getRetryMs(leases, used, now, policy, cost))]
    }
    const next = cost === 0 ? leases : [...leases, id, now + policy.windowMs, cost]
    return [cost === 0 ? state : next, toResult(next, used + cost, now, policy, 0)]
  },
  shift(state, now, policy, units, id = 0) {
    const leases = dropExpired(state, now, policy)
    if (units <= 0) return returnLease(leases, id)
    const taken = Math.min(units, policy.limit - countUnits(leases))
    return taken > 0 ? [...leases, id, now + policy.windowMs, taken] : leases
  },
  endsAt: getEnd,
}

/** Returns the time at which the last lease expires. */
function getEnd(leases: CounterState): number {
  return leases.at(-2) ?? 0
}

/**
 * Returns the leases that have not expired. A clock that was set back does not extend a lease
 * beyond its length.
 */
function dropExpired(state: CounterState, now: number, { windowMs }: Policy): CounterState {
  let from = 0
  while (from < state.length && (state[from + 1] ?? 0) <= now) from += 3
  const leases = from === 0 ? state : state.slice(from)
  const longest = now + windowMs
  if (getEnd(leases) <= longest) return leases
  return leases.map((value, index) => (index % 3 === 1 ? Math.min(value, longest) : value))
}

function returnLease(leases: CounterState, returned: number): CounterState {
  const rest: number[] = []
  for (let index = 0; index < leases.length; index += 3) {
    const [id = 0, until = 0, units = 0] = leases.slice(index, index + 3)
    if (id !== returned) rest.push(id, until, units)
  }
  return rest
}

function countUnits(leases: CounterState): number {
  let units = 0
  for (let index = 2; index < leases.length; index += 3) units += leases[index] ?? 0
  return units
}

/** Returns the time until enough leases have expired. They may be returned sooner. */
function getRetryMs(leases: CounterState, used: number, now: number, { limit }: Policy, cost: number): number {
  let rest = used
  for (let index = 0; index < leases.length && cost <= limit; index += 3) {
    rest -= leases[index + 2] ?? 0
    if (rest + cost <= limit) return (leases[index + 1] ?? 0) - now
  }
  return -1
}

function toResult(leases: CounterState, used: number, now: number, { limit }: Policy, retryMs: number): LimitResult {
  const resetMs = Math.max(0, getEnd(leases) - now)
  return { allowed: retryMs === 0, remaining: Math.max(0, limit - used), resetMs, retryMs }
}
