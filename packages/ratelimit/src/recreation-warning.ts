import type { Diagnose } from './diagnose.ts'

const BEGUN = Symbol.for('svc.ratelimit.begun')
const SUSPICIOUS = 200
const MAX_POLICIES = 1000

/**
 * Creates a function to call when a limiter with its own store counts. It warns when very many
 * limiters with equal limits have begun to count: a limiter that is created for each request never
 * rejects one.
 */
export function recreationWarning(policyId: string | undefined, diagnose: Diagnose): () => void {
  let hasBegun = policyId === undefined
  return () => {
    if (hasBegun || policyId === undefined) return
    hasBegun = true
    const begun = getBegunLimiters()
    const count = (begun.get(policyId) ?? 0) + 1
    if (begun.size >= MAX_POLICIES) begun.clear()
    begun.set(policyId, count)
    if (count === SUSPICIOUS)
      diagnose.warnOnce(
        'WRN_RATELIMIT_CREATED_PER_REQUEST',
        `${SUSPICIOUS} limiters with equal limits each count in their own memory: a limiter that is created inside a handler limits nothing. Create it once, at startup.`,
      )
  }
}

/** On globalThis, so that the ESM and CommonJS builds share the counts. */
function getBegunLimiters(): Map<string, number> {
  const holder = globalThis as { [BEGUN]?: Map<string, number> }
  holder[BEGUN] ??= new Map()
  return holder[BEGUN]
}
