import type { StoredResponse } from './response.ts'
import type { SerializedResult } from './run.ts'

// 400 to 428: rejected before the work starts, or after another look at the request.
const RELEASED = new Set([
  400, 401, 403, 404, 405, 406, 408, 411, 412, 413, 414, 415, 417, 421, 425, 426, 428, 429, 431, 503,
])

/**
 * Whether a response with this status is stored by default. Stored: every outcome of the work,
 * errors included. Not stored, so that a retry runs again: rejections before the work (400, 401,
 * 412 …), and "not now" (429, 503).
 */
export function isStorable(status: number): boolean {
  return !RELEASED.has(status)
}

export interface StoreRules {
  /** Decision of the handler, if any. */
  forced: 'commit' | 'release' | undefined
  hasTransaction: boolean
  shouldStore: (status: number) => boolean | undefined
}

/** Returns a response as it is stored, or `undefined` if it is not. */
export function decideStored(
  response: StoredResponse,
  { forced, hasTransaction, shouldStore }: StoreRules,
): SerializedResult | undefined {
  if (forced === 'release') return undefined
  if (forced === 'commit') return { ...response, effects: 'commit' }
  // A failure inside a transaction has no effects: a retry may run again.
  const isStored = isStorable(response.status) && !(hasTransaction && response.status >= 500)
  return (shouldStore(response.status) ?? isStored) ? response : undefined
}
