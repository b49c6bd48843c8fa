import type { Algorithm, CounterState, LimitResult, Policy } from './algorithm.ts'

/**
 * A bucket that fills with time. Its state is the credit, in ticks so that it is an integer, and
 * the tick at which it was measured. It decides exactly as gcra does, with two numbers instead of
 * one.
 */
export const tokenBucket: Algorithm = {
  take(state, now, policy, cost) {
    const { scale, interval, burst } = policy
    const ticks = now * scale
    const credit = getCredit(state, ticks, policy)
    const missing = cost * interval - credit
    const next = (state[1] ?? 0) > ticks ? [credit, ticks] : state
    if (missing > 0) return [next, toResult(credit, policy, cost > burst ? -1 : Math.ceil(missing / scale))]
    const rest = credit - cost * interval
    return [cost === 0 ? state : [rest, ticks], toResult(rest, policy, 0)]
  },
  shift(state, now, policy, units) {
    const ticks = now * policy.scale
    const credit = getCredit(state, ticks, policy) - units * policy.interval
    return [Math.min(Math.max(credit, 0), policy.burst * policy.interval), ticks]
  },
  endsAt: ([credit = 0, ticks = 0], { scale, interval, burst }) =>
    Math.ceil((ticks + burst * interval - credit) / scale),
}

function getCredit(state: CounterState, ticks: number, { interval, burst }: Policy): number {
  const full = burst * interval
  const [credit = full, since = ticks] = state
  return Math.min(full, credit + Math.max(0, ticks - since))
}

function toResult(credit: number, { scale, interval, burst }: Policy, retryMs: number): LimitResult {
  const resetMs = Math.ceil((burst * interval - credit) / scale)
  return { allowed: retryMs === 0, remaining: Math.floor(credit / interval), resetMs, retryMs }
}
