import type { Algorithm, CounterState, LimitResult, Policy } from './algorithm.ts'

/**
 * Counts what runs at the same time. Its state is leases: id, time of expiry, units. A lease ends when it is given back,
 * or by itself, so that a process that died blocks no one for longer.
 */
export const concurrency: Algorithm = {
  take(state, now, policy, cost, id = 0) {
    const leases = running(state, now, policy)
    const used = countUnits(leases)
    const active = expiries(state).some((until) => until > now + policy.windowMs) ? leases : state
    if (used + cost > policy.limit && cost > 0)
      return [active, toResult(leases, used, now, policy, getRetryMs(leases, now, policy, cost))]
    const next = cost === 0 ? leases : [...leases, id, now + policy.windowMs, cost]
    return [cost === 0 ? state : next, toResult(next, used + cost, now, policy, 0)]
  },
  shift(state, now, policy, units, id = 0) {
    const leases = running(state, now, policy)
    if (units > 0) return [...leases, id, now + policy.windowMs, Math.min(units, policy.limit)]
    return keep(leases, (lease) => lease !== id)
  },
  endsAt: (state) => expiries(state).reduce((latest, time) => Math.max(latest, time), 0),
}

/** Leases that have not ended. None lasts longer than from now on: one that does is of a clock that was set back. */
function running(state: CounterState, now: number, { windowMs }: Policy): CounterState {
  const leases = keep(state, (_lease, until) => until > now)
  return leases.map((value, index) => (index % 3 === 1 ? Math.min(value, now + windowMs) : value))
}

function keep(state: CounterState, test: (id: number, until: number) => boolean): CounterState {
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

function expiries(leases: CounterState): number[] {
  return leases.filter((_value, index) => index % 3 === 1)
}

/** The moment at which enough leases have ended by themselves: given back, they end sooner. */
function getRetryMs(leases: CounterState, now: number, { limit }: Policy, cost: number): number {
  const usedAt = (time: number): number => countUnits(keep(leases, (_lease, until) => until > time))
  const ends = expiries(leases).sort((a, b) => a - b)
  const end = ends.find((time) => usedAt(time) + cost <= limit)
  return end === undefined ? -1 : end - now
}

function toResult(leases: CounterState, used: number, now: number, { limit }: Policy, retryMs: number): LimitResult {
  const resetMs = Math.max(0, ...expiries(leases).map((time) => time - now))
  return { allowed: retryMs === 0, remaining: Math.max(0, limit - used), resetMs, retryMs }
}
