/**
 * Runs a step of an answer that may come after `represent` has returned: what it throws (a field that node refuses, a
 * body that is none) is a failure of this answer, and no uncaught exception.
 */
export function attempt(step: () => void, fail: (error: unknown) => void): void {
  try {
    step()
  } catch (error) {
    fail(error)
  }
}
