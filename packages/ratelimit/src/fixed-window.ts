import type { Algorithm, CounterState, LimitResult, Policy } from './algorithm.ts'
import { KeyHash } from './stores/key-hash.ts'

/**
 * Counts in consecutive windows that start at the epoch plus a phase. Its state is the start of the
 * window and the count. Around the edge of two windows, up to twice the limit fits into the length
 * of one.
 */
export const fixedWindow: Algorithm = {
  take(state, now, policy, cost, phase) {
    const { limit, windowMs } = policy
    const [start, used] = getWindow(state, now, policy, phase)
    if (used + cost <= limit) return [cost === 0 ? state : [start, used + cost], toResult(used + cost, 0)]
    const next = (state[0] ?? 0) > now ? [start, used] : state
    return [next, toResult(used, cost > limit ? -1 : start + windowMs - now)]

    function toResult(taken: number, retryMs: number): LimitResult {
      return { allowed: retryMs === 0, remaining: limit - taken, resetMs: start + windowMs - now, retryMs }
    }
  },
  shift(state, now, policy, units, phase) {
    const [start, used] = getWindow(state, now, policy, phase)
    return [start, Math.min(Math.max(used + units, 0), policy.limit)]
  },
  endsAt: (state, { windowMs }) => (state[0] ?? 0) + windowMs,
}

/**
 * Returns the phase of the windows of a key. It differs by key, so that clients do not return all
 * at once.
 */
export function getPhase(key: string, windowMs: number): number {
  const hash = new KeyHash(1, 2)
  hash.update(key)
  return Math.floor(((hash.low >>> 0) / 2 ** 32) * windowMs)
}

/**
 * The count of a window in the future, from before the clock was set back, moves to the current
 * window.
 */
function getWindow(state: CounterState, now: number, { windowMs }: Policy, phase = 0): [start: number, used: number] {
  const [since = 0, used = 0] = state
  if (state.length > 0 && now >= since && now < since + windowMs) return [since, used]
  const into = (now - phase) % windowMs
  return [now - (into < 0 ? into + windowMs : into), since > now ? used : 0]
}
