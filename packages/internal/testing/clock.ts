export interface Clock {
  /** Milliseconds; constant until it is advanced. */
  now(): number
  advance(ms: number): void
}

/** Creates a clock for tests, so that nothing sleeps. */
export function clock(start = Date.UTC(2026, 10, 21, 7, 30)): Clock {
  let current = start
  return {
    now: () => current,
    advance: (ms) => {
      current += ms
    },
  }
}
