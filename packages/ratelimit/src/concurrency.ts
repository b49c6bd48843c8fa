import type { Algorithm, CounterState, LimitResult, Policy } from './algorithm.ts'

/**
 * Counts concurrent requests. Its state is leases: id, time of expiry, units. A lease ends when it
 * is returned, or when it expires, so that a crashed process does not block its clients.
 */
export const concurrency: Algorithm = {
  take(state, now, policy, cost, id = 0) {
    const leases = dropExpired(state, now, policy)
    const used = countUnits(leases)
    const active = getExpiries(state).some((until) => until > now + policy.windowMs) ? leases : state
    if (used + cost > policy.limit && cost > 0)
      return [active, toResult(leases, used, now, policy, getRetryMs(leases, now, policy, cost))]
    const next = cost === 0 ? leases : [...leases, id, now + policy.windowMs, cost]
    return [cost === 0 ? state : next, toResult(next, used + cost, now, policy, 0)]
  },
  shift(state, now, policy, units, id = 0) {
    const leases = dropExpired(state, now, policy)
    if (units > 0) return [...leases, id, now + policy.windowMs, Math.min(units, policy.limit)]
    return filterLeases(leases, (lease) => lease !== id)
  },
  endsAt: (state) => getExpiries(state).reduce((latest, time) => Math.max(latest, time), 0),
}

/**
 * Returns the leases that have not expired. A clock that was set back does not extend a lease
 * beyond its length.
 */
function dropExpired(state: CounterState, now: number, { windowMs }: Policy): CounterState {
  const leases = filterLeases(state, (_lease, until) => until > now)
  return leases.map((value, index) => (index % 3 === 1 ? Math.min(value, now + windowMs) : value))
}

function filterLeases(state: CounterState, test: (id: number, until: number) => boolean): CounterState {
  const active: number[] = []
  for (let index = 0; index < state.length; index += 3) {
    const [id = 0, until = 0, units = 0] = state.slice(index, index + 3)
    if (test(id, until)) active.push(id, until, units)
  }
  return active
}

function countUnits(leases: CounterState): number {
  let units = 0
  for (let index = 2; index < leases.length; index += 3) units += leases[index] ?? 0
  return units
}

function getExpiries(leases: CounterState): number[] {
  return leases.filter((_value, index) => index % 3 === 1)
}

/** Returns the time until enough leases have expired. They may be returned sooner. */
function getRetryMs(leases: CounterState, now: number, { limit }: Policy, cost: number): number {
  const usedAt = (time: number): number => countUnits(filterLeases(leases, (_lease, until) => until > time))
  const ends = getExpiries(leases).sort((a, b) => a - b)
  const end = ends.find((time) => usedAt(time) + cost <= limit)
  return end === undefined ? -1 : end - now
}

function toResult(leases: CounterState, used: number, now: number, { limit }: Policy, retryMs: number): LimitResult {
  const resetMs = Math.max(0, ...getExpiries(leases).map((time) => time - now))
  return { allowed: retryMs === 0, remaining: Math.max(0, limit - used), resetMs, retryMs }
}
