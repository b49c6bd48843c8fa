import type { Middleware, Next } from '../../../../packages/internal/middleware.ts'

/**
 * Several stages as one. A router matches the path against each of its layers, for each request; stages that see every
 * request need no matching.
 */
export function inOrder(...stages: readonly Middleware[]): Middleware {
  return (req, res, done) => {
    let at = 0
    const next: Next = (error?: unknown) => {
      if (error !== undefined) return done(error)
      const stage = stages[at++]
      if (!stage) return done()
      try {
        stage(req, res, next)
      } catch (thrown) {
        done(thrown)
      }
    }
    next()
  }
}
