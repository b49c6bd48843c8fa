import type { Algorithm, CounterState, LimitResult, Policy } from './algorithm.ts'

/**
 * Stores each request of the last window: exact in every window, at the price of memory. Its state
 * is pairs of time and units, oldest first.
 */
export const slidingLog: Algorithm = {
  take(state, now, policy, cost) {
    const { limit } = policy
    const log = dropExpired(state, now, policy)
    const used = countUnits(log)
    if (used + cost <= limit || cost === 0) {
      const next = cost === 0 ? log : append(log, now, cost)
      return [cost === 0 ? state : next, toResult(next, used + cost, now, policy, 0)]
    }
    const stored = (state.at(-2) ?? 0) > now ? log : state
    return [stored, toResult(log, used, now, policy, getRetryMs(log, used, now, policy, cost))]
  },
  shift(state, now, policy, units) {
    const log = dropExpired(state, now, policy)
    return units >= 0 ? append(log, now, Math.min(units, policy.limit - countUnits(log))) : refund(log, -units)
  },
  endsAt: (state, { windowMs }) => (state.at(-2) ?? 0) + windowMs,
}

/**
 * Returns the entries in (now - window, now]. Entries in the future, from before the clock was set
 * back, count as now.
 */
function dropExpired(state: CounterState, now: number, { windowMs }: Policy): CounterState {
  let from = 0
  while (from < state.length && (state[from] ?? 0) <= now - windowMs) from += 2
  const log = from === 0 ? state : state.slice(from)
  return (log.at(-2) ?? 0) <= now ? log : log.map((value, index) => (index % 2 === 0 ? Math.min(value, now) : value))
}

function countUnits(log: CounterState): number {
  let units = 0
  for (let index = 1; index < log.length; index += 2) units += log[index] ?? 0
  return units
}

function append(log: CounterState, now: number, units: number): CounterState {
  if (units === 0) return log
  if (log.at(-2) !== now) return [...log, now, units]
  return [...log.slice(0, -1), (log.at(-1) ?? 0) + units]
}

/**
 * Removes the oldest units. It is unknown which ones are refunded, and those that stay must not
 * expire too early.
 */
function refund(log: CounterState, units: number): CounterState {
  let left = units
  for (let index = 0; index < log.length; index += 2) {
    const [time = 0, oldest = 0] = log.slice(index, index + 2)
    if (oldest > left) return [time, oldest - left, ...log.slice(index + 2)]
    left -= oldest
  }
  return []
}

function getRetryMs(log: CounterState, used: number, now: number, { limit, windowMs }: Policy, cost: number): number {
  let rest = used
  for (let index = 0; index < log.length && cost <= limit; index += 2) {
    rest -= log[index + 1] ?? 0
    if (rest + cost <= limit) return (log[index] ?? 0) + windowMs - now
  }
  return -1
}

function toResult(
  log: CounterState,
  used: number,
  now: number,
  { limit, windowMs }: Policy,
  retryMs: number,
): LimitResult {
  const [oldest] = log
  return {
    allowed: retryMs === 0,
    remaining: Math.max(0, limit - used),
    resetMs: oldest === undefined ? 0 : oldest + windowMs - now,
    retryMs,
  }
}
