import type { NonceStore } from '@svc/soap-envelope'
import type { Database } from '../../database/database.ts'

/** Remembers nonces where every process of the service sees them: a digest counts once, whoever gets it. */
export function nonceStore({ db }: Database): NonceStore {
  return {
    async add(nonce, untilMs, nowMs) {
      await db.deleteFrom('soap_nonces').where('untilMs', '<', nowMs).execute()
      const added = await db
        .insertInto('soap_nonces')
        .values({ nonce, untilMs })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return added.numInsertedOrUpdatedRows === 1n ? 'added' : 'seen'
    },
  }
}
