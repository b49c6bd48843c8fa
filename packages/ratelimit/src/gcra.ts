import type { Algorithm, CounterState, LimitResult, Policy } from './algorithm.ts'

/**
 * The generic cell rate algorithm. Its state is one number, the theoretical arrival time in ticks:
 * the time at which all units are restored. A time further ahead than a whole burst comes from a
 * clock that was set back, and is capped.
 */
export const gcra: Algorithm = {
  take(state, now, policy, cost) {
    const { scale, interval, burst } = policy
    const ticks = now * scale
    const tolerance = interval * burst
    const arrival = getArrival(state, ticks, tolerance)
    const wait = arrival + interval * cost - tolerance - ticks
    const stored = arrival < (state[0] ?? 0) ? [arrival] : state
    if (wait > 0) return [stored, toResult(arrival - ticks, policy, cost > burst ? -1 : Math.ceil(wait / scale))]
    if (cost === 0) return [state, toResult(arrival - ticks, policy, 0)]
    const next = arrival + interval * cost
    return [[next], toResult(next - ticks, policy, 0)]
  },
  shift(state, now, { scale, interval, burst }, units) {
    const ticks = now * scale
    const tolerance = interval * burst
    return [Math.min(Math.max(getArrival(state, ticks, tolerance) + interval * units, ticks), ticks + tolerance)]
  },
  endsAt: (state, { scale }) => Math.ceil((state[0] ?? 0) / scale),
}

function getArrival(state: CounterState, ticks: number, tolerance: number): number {
  return Math.min(Math.max(state[0] ?? 0, ticks), ticks + tolerance)
}

function toResult(ahead: number, { scale, interval, burst }: Policy, retryMs: number): LimitResult {
  const remaining = Math.floor((interval * burst - ahead) / interval)
  return { allowed: retryMs === 0, remaining, resetMs: Math.ceil(ahead / scale), retryMs }
}
