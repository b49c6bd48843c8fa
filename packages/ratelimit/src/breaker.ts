/** Decides whether calling a store is worth the wait. */
export interface Breaker {
  /** Whether no pause is in progress. */
  readonly isClosed: boolean
  /**
   * Whether to call the store. After a pause one call is let through as a test; all others are not.
   */
  allows(now: number): boolean
  succeed(): void
  fail(now: number): void
}

const MAX_FAILURES = 5
const WITHIN_MS = 10_000
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 30_000

/**
 * Opens after five failures in ten seconds: for one second at first, and for up to thirty while
 * failures go on.
 */
export function circuitBreaker(): Breaker {
  let failures: number[] = []
  let pauseMs = 0
  let nextTestAt = 0
  let isTesting = false
  return {
    get isClosed() {
      return pauseMs === 0
    },
    allows(now) {
      if (pauseMs === 0) return true
      if (now < nextTestAt) return false
      nextTestAt = now + pauseMs
      isTesting = true
      return true
    },
    succeed() {
      if (failures.length > 0) failures = []
      pauseMs = 0
      isTesting = false
    },
    fail(now) {
      // Failures of calls that were in flight when the breaker opened add no information.
      if (pauseMs > 0 && !isTesting) return
      failures = [...failures.filter((time) => time > now - WITHIN_MS), now].slice(-MAX_FAILURES)
      if (pauseMs === 0 && failures.length < MAX_FAILURES) return
      pauseMs = Math.min(Math.max(pauseMs * 2, FIRST_PAUSE_MS), MAX_PAUSE_MS)
      nextTestAt = now + pauseMs
      isTesting = false
    },
  }
}
