import type { Logger } from 'pino'
import { type Connection, insertRows } from '../database/connection.ts'
import { hashPassword } from '../security/password.ts'

const USERNAME = 'admin'

/**
 * Makes the user `admin` in a database that has no users: somebody must be there to make the others. Of several
 * processes that start together one does. A password that is set later changes nothing for users who are there.
 */
export async function firstAdministrator(
  db: Connection,
  password: string | undefined,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  if (await db.get('select 1 from "users" limit 1')) return
  if (password === undefined)
    return log.warn('nobody can sign in: there are no users, and SVC_ADMIN_PASSWORD makes the first one')
  const now = new Date().toISOString()
  const row = {
    username: USERNAME,
    email: `${USERNAME}@example.invalid`,
    roles: JSON.stringify(['admin']),
    passwordHash: await hashPassword(password),
    createdAt: now,
    updatedAt: now,
  }
  if ((await insertRows(db, 'users', [row], { orIgnore: true })) === 1)
    log.info({ username: USERNAME }, 'made the first user, an administrator')
}
