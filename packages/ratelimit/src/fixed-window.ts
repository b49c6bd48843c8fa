import type { Algorithm, CounterState, LimitResult, Policy } from './algorithm.ts'
import { KeyHash } from './stores/key-hash.ts'

/**
 * Counts in windows that follow each other, from the epoch and a phase on. Its state is the start of the window and the
 * count. Up to twice the limit fits into one window's time around an edge: it is here for those who must count alike.
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

/** Where the windows of a key begin, so that not all clients come back at the same moment. */
export function getPhase(key: string, windowMs: number): number {
  const hash = new KeyHash(1, 2)
  hash.update(key)
  return Math.floor(((hash.low >>> 0) / 2 ** 32) * windowMs)
}

/** What a window in the future has counted, before the clock was set back, counts in the one of now. */
function getWindow(state: CounterState, now: number, { windowMs }: Policy, phase = 0): [start: number, used: number] {
  const [since = 0, used = 0] = state
  if (state.length > 0 && now >= since && now < since + windowMs) return [since, used]
  const into = (now - phase) % windowMs
  return [now - (into < 0 ? into + windowMs : into), since > now ? used : 0]
}
