import { classify } from '@svc/errors'
import { type BeginInput, type Idempotency, isKept, type Lease } from '@svc/idempotency'
import type { Representation } from '@svc/negotiate'
import type { Database, Db } from '../database/database.ts'
import { executorOf } from '../database/executor.ts'
import { isPassing } from '../database/violation.ts'
import type { Exchange } from '../exchange.ts'
import { keptFailure, materialised, replayOf, storedOf } from './idempotency.ts'

/** Does the work of a key, or gives what came of it before. What `beforeCommit` throws undoes the work. */
export type Once = (
  input: BeginInput,
  exchange: Exchange,
  work: (tx: Db) => Promise<Representation>,
  beforeCommit: () => void,
) => Promise<Representation>

/**
 * Does work once for each key. Key, effect and answer are committed together: what is not kept never happened. A failure
 * of the work is kept behind the rollback, so that its retries fail in the same way.
 */
export function once(idempotency: Idempotency, database: Database): Once {
  return async (input, exchange, work, beforeCommit) => {
    const attempt: { lease?: Lease } = {}
    try {
      return await database.db.transaction().execute(async (tx) => {
        const begun = await idempotency.begin(input, executorOf(tx))
        if (begun.outcome === 'refused') throw begun.failure
        if (begun.outcome === 'replay') return replayOf(begun.response, exchange)
        attempt.lease = begun.lease
        const representation = await materialised(await work(tx))
        await begun.lease.complete(storedOf(representation))
        beforeCommit()
        return representation
      })
    } catch (error) {
      const { lease } = attempt
      if (lease && isFinal(error))
        await database.between(() => lease.complete(keptFailure(error, exchange), { effects: 'undo' }))
      throw error
    }
  }
}

// What passes by itself, and what is refused before the work begins, is tried again.
function isFinal(error: unknown): boolean {
  return !isPassing(error) && isKept(classify(error).status)
}
