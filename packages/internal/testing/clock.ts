export interface Clock {
  /** Milliseconds; stands still until it is moved. */
  now(): number
  advance(ms: number): void
}

/** A clock for tests: nothing sleeps. */
export function clock(start = Date.UTC(2026, 10, 21, 7, 30)): Clock {
  let current = start
  return {
    now: () => current,
    advance: (ms) => {
      current += ms
    },
  }
}
