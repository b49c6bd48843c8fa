import type { NonceStore } from '@svc/soap-envelope'
import { type Connection, insertRows } from '../../database/connection.ts'

/** Stores nonces in the database, so that a digest is accepted once, by whichever process receives it first. */
export function nonceStore(db: Connection): NonceStore {
  return {
    async add(nonce, untilMs, nowMs) {
      await db.run('delete from "soap_nonces" where "untilMs" < ?', [nowMs])
      const count = await insertRows(db, 'soap_nonces', [{ nonce, untilMs }], { orIgnore: true })
      return count === 1 ? 'added' : 'seen'
    },
  }
}
