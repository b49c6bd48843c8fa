import type { HttpErrorLike } from '../../internal/http-error.ts'
import { type Awaitable, chain, orElse } from './chain.ts'
import { publish } from './events.ts'
import { isKept } from './keep.ts'
import type { Lease } from './lease.ts'
import { leaseLost, storeDown } from './refusals.ts'
import type { StoredResponse } from './response.ts'

export interface Verdict {
  /** What the handler said; `undefined`: nothing. */
  forced: 'commit' | 'release' | undefined
  /** What the option `keep` says; `undefined`: nothing. */
  keep: (status: number) => boolean | undefined
  /** Whether the answer stopped in the middle: its client went away. */
  isCut: boolean
}

/**
 * Ends a lease with an answer: kept, or released for the next attempt. Gives the error that takes the answer's place
 * where the work does not count: another attempt took over, or its transaction was not committed.
 */
export function settle(lease: Lease, response: StoredResponse, verdict: Verdict): Awaitable<HttpErrorLike | undefined> {
  const { id, generation } = lease
  const hasTransaction = lease.transaction !== undefined
  const done = (type: 'kept' | 'released') => (): undefined => publish({ type, id, generation }) as undefined
  return orElse<HttpErrorLike | undefined>(
    () => {
      if (!isWorthKeeping(response.status, hasTransaction, verdict)) return chain(lease.release(), done('released'))
      const effects = response.status < 400 || verdict.forced === 'commit' ? 'commit' : 'undo'
      return chain(lease.complete(response, { effects }), done('kept'))
    },
    (error) => {
      const isLost = error instanceof Error && 'code' in error && error.code === 'ERR_IDEMPOTENCY_LEASE_LOST'
      publish({ type: isLost ? 'lost' : 'failed', id, generation, error })
      if (isLost) return leaseLost()
      // Outside of a transaction the work is done, whatever the store says.
      return hasTransaction ? storeDown(error) : undefined
    },
  )
}

// What failed inside a transaction left nothing behind: a retry may run again.
function isWorthKeeping(status: number, hasTransaction: boolean, { forced, keep, isCut }: Verdict): boolean {
  if (isCut && hasTransaction) return false
  if (forced) return forced === 'commit'
  return keep(status) ?? (isKept(status) && !(hasTransaction && status >= 500))
}
