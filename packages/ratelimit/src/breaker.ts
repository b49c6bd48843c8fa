/** Remembers how a store has been doing, and says whether asking it is worth a wait. */
export interface Breaker {
  /** Whether to ask. After a pause one caller is let through to find out; the others go on without. */
  allows(now: number): boolean
  succeed(): void
  fail(now: number): void
}

const FAILURES = 5
const WITHIN_MS = 10_000
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 30_000

/** Opens after five failures in ten seconds, for one second at first and up to thirty when it keeps failing. */
export function circuitBreaker(): Breaker {
  let failures: number[] = []
  let pauseMs = 0
  let closedAgainAt = 0
  let isTrying = false
  return {
    allows(now) {
      if (pauseMs === 0) return true
      if (now < closedAgainAt) return false
      closedAgainAt = now + pauseMs
      isTrying = true
      return true
    },
    succeed() {
      if (failures.length > 0) failures = []
      pauseMs = 0
      isTrying = false
    },
    fail(now) {
      // Calls that were under way when it opened say nothing new.
      if (pauseMs > 0 && !isTrying) return
      failures = [...failures.filter((time) => time > now - WITHIN_MS), now].slice(-FAILURES)
      if (pauseMs === 0 && failures.length < FAILURES) return
      pauseMs = Math.min(Math.max(pauseMs * 2, FIRST_PAUSE_MS), MAX_PAUSE_MS)
      closedAgainAt = now + pauseMs
      isTrying = false
    },
  }
}
