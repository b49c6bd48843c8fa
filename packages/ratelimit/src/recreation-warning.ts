import type { Diagnose } from './diagnose.ts'

const BEGUN = Symbol.for('svc.ratelimit.begun')
const SUSPICIOUS = 200
const MAX_POLICIES = 1000

/**
 * A limiter that is made for each request counts each of them as the first one. Gives what is to be called when a limiter
 * with a store of its own counts: it says so when very many limiters with equal limits have begun to.
 */
export function recreationWarning(policyId: string | undefined, diagnose: Diagnose): () => void {
  let hasBegun = policyId === undefined
  return () => {
    if (hasBegun || policyId === undefined) return
    hasBegun = true
    const begun = begunLimiters()
    const count = (begun.get(policyId) ?? 0) + 1
    if (begun.size >= MAX_POLICIES) begun.clear()
    begun.set(policyId, count)
    if (count === SUSPICIOUS)
      diagnose.warnOnce(
        'WRN_RATELIMIT_CREATED_PER_REQUEST',
        `${SUSPICIOUS} limiters with equal limits count in memories of their own: one that is made inside a handler, for each request, limits nothing. Make it once, when the app starts.`,
      )
  }
}

/** On globalThis, so that the ESM and the CJS build of the package count together. */
function begunLimiters(): Map<string, number> {
  const holder = globalThis as { [BEGUN]?: Map<string, number> }
  holder[BEGUN] ??= new Map()
  return holder[BEGUN]
}
