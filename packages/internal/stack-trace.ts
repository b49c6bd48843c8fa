// `stackTraceLimit` is a number by type, but may be anything.
const errors: { stackTraceLimit?: unknown } = Error

/**
 * Lets errors be created without a stack, which is most of their cost and says nothing about a
 * mistake of the client. Returns the limit to restore. Nothing may throw until `restoreStacks()`:
 * the process would be left without stacks.
 */
export function omitStacks(): unknown {
  const limit = errors.stackTraceLimit
  // With a limit of 0, V8 still builds an empty stack, which costs more than the rest of an error.
  setLimit(undefined)
  return limit
}

/** Ends `omitStacks()`. Gives the error the first line of its stack, which loggers print. */
export function restoreStacks(limit: unknown, error: Error, name: string): void {
  setLimit(limit)
  error.stack = `${name}: ${error.message}`
}

function setLimit(limit: unknown): void {
  try {
    errors.stackTraceLimit = limit
  } catch {
    // Error is frozen (--frozen-intrinsics, SES): stacks are captured.
  }
}
