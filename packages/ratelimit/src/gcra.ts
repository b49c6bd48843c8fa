import type { Algorithm } from './algorithm.ts'

/**
 * The generic cell rate algorithm. Its state is one number, the theoretical arrival time in ticks:
 * the time at which all units are restored. A time further ahead than a whole burst comes from a
 * clock that was set back, and is capped.
 */
export const gcra: Algorithm = {
  take(state, now, { scale, interval, burst }, cost) {
    const ticks = now * scale
    const tolerance = interval * burst
    const stored = state[0] ?? 0
    const arrival = Math.min(Math.max(stored, ticks), ticks + tolerance)
    const next = arrival + interval * cost
    const wait = next - tolerance - ticks
    const allowed = wait <= 0
    const ahead = (allowed ? next : arrival) - ticks
    const result = {
      allowed,
      remaining: Math.floor((tolerance - ahead) / interval),
      resetMs: Math.ceil(ahead / scale),
      retryMs: allowed ? 0 : cost > burst ? -1 : Math.ceil(wait / scale),
    }
    if (allowed) return [cost === 0 ? state : [next], result]
    return [arrival < stored ? [arrival] : state, result]
  },
  shift(state, now, { scale, interval, burst }, units) {
    const ticks = now * scale
    const full = ticks + interval * burst
    const arrival = Math.min(Math.max(state[0] ?? 0, ticks), full)
    return [Math.min(Math.max(arrival + interval * units, ticks), full)]
  },
  endsAt: (state, { scale }) => Math.ceil((state[0] ?? 0) / scale),
}
