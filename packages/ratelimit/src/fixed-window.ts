import type { Algorithm, Outcome, Policy, State } from './algorithm.ts'

/**
 * Counts in windows that follow each other, aligned to the epoch. Its state is the start of the window and the count.
 * Up to twice the limit fits into one window's time around an edge: it is here for those who must count alike.
 */
export const fixedWindow: Algorithm = {
  take(state, now, policy, cost) {
    const { limit, windowMs } = policy
    const [start, used] = windowOf(state, now, policy)
    if (used + cost <= limit) return [cost === 0 ? state : [start, used + cost], outcomeOf(used + cost, 0)]
    return [state, outcomeOf(used, cost > limit ? -1 : start + windowMs - now)]

    function outcomeOf(taken: number, retryMs: number): Outcome {
      return { allowed: retryMs === 0, remaining: limit - taken, resetMs: start + windowMs - now, retryMs }
    }
  },
  shift(state, now, policy, units) {
    const [start, used] = windowOf(state, now, policy)
    return [start, Math.min(Math.max(used + units, 0), policy.limit)]
  },
  endsAt: (state, { windowMs }) => (state[0] ?? 0) + windowMs,
}

function windowOf(state: State, now: number, { windowMs }: Policy): [start: number, used: number] {
  const start = now - (now % windowMs)
  return [start, state[0] === start ? (state[1] ?? 0) : 0]
}
