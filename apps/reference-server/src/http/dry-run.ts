import type { Representation } from '@svc/negotiate'
import type { Connection, Database } from '../database/connection.ts'
import type { MaybePromise } from '../database/maybe-promise.ts'
import { encodeBody } from './idempotency.ts'

/** Carries a response out of the transaction that it undoes. */
class Rollback extends Error {
  readonly representation: Representation

  constructor(representation: Representation) {
    super('dry run')
    this.representation = representation
  }
}

/**
 * Runs a write with all its checks and undoes it (`Prefer: tx=rollback`). The response is that of
 * the write. An Idempotency-Key stays unused: the write itself is still to come.
 */
export async function dryRun(
  database: Database,
  run: (tx: Connection) => MaybePromise<Representation>,
): Promise<Representation> {
  try {
    return await database.transaction(async (tx) => {
      throw new Rollback(await encodeBody(await run(tx)))
    })
  } catch (error) {
    if (!(error instanceof Rollback)) throw error
    return announce(error.representation)
  }
}

// Nothing has changed, so that nothing cached is stale.
function announce({ headers = {}, ...representation }: Representation): Representation {
  const { 'Cache-Group-Invalidation': _, 'Preference-Applied': applied, ...others } = headers
  const preferences = [applied, 'tx=rollback'].filter((value) => value !== undefined).join(', ')
  return { ...representation, headers: { ...others, 'Preference-Applied': preferences } }
}
