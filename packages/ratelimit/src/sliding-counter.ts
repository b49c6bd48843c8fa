import type { Algorithm, CounterState, Policy } from './algorithm.ts'

interface Window {
  start: number
  /** Units taken in this window. */
  current: number
  /** Units taken in the window before. */
  previous: number
}

/**
 * Adds the part of the previous window that the sliding window still covers. Its state is the start
 * of the window and both counts. The estimate is exact if requests arrive evenly.
 */
export const slidingCounter: Algorithm = {
  take(state, now, policy, cost) {
    const { limit, windowMs } = policy
    const { start, current, previous } = getWindow(state, now, policy)
    const left = windowMs - (now - start)
    const free = limit * windowMs - previous * left - current * windowMs
    const allowed = free >= cost * windowMs || cost === 0
    const rest = allowed ? free - cost * windowMs : free
    const result = {
      allowed,
      remaining: Math.max(0, Math.floor(rest / windowMs)),
      resetMs: left,
      retryMs: allowed ? 0 : getRetryMs(policy, { start, current, previous }, left, cost),
    }
    if (allowed) return [cost > 0 ? [start, current + cost, previous] : state, result]
    return [(state[0] ?? 0) > now ? [start, current, previous] : state, result]
  },
  shift(state, now, policy, units) {
    const { start, current, previous } = getWindow(state, now, policy)
    return [start, Math.min(Math.max(current + units, 0), policy.limit), previous]
  },
  endsAt: (state, { windowMs }) => (state[0] ?? 0) + 2 * windowMs,
}

function getWindow(state: CounterState, now: number, { limit, windowMs }: Policy): Window {
  const start = now - (now % windowMs)
  const [before, count = 0, previous = 0] = state
  if (before === start) return { start, current: count, previous }
  // A window in the future is from before the clock was set back: its counts move to the current
  // window, where none of them fades.
  if ((before ?? 0) > now) return { start, current: Math.min(count + previous, limit), previous: 0 }
  return { start, current: 0, previous: before === start - windowMs ? count : 0 }
}

/**
 * Returns the time to wait: until the previous window has faded enough, or this one in the next
 * window.
 */
function getRetryMs({ limit, windowMs }: Policy, { current, previous }: Window, left: number, cost: number): number {
  if (cost > limit) return -1
  if (current + cost <= limit)
    return Math.ceil((windowMs * (previous - (limit - current - cost))) / previous) - (windowMs - left)
  return left + Math.max(0, Math.ceil((windowMs * (current - (limit - cost))) / current))
}
