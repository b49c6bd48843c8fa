import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { hashPassword } from '../security/password.ts'

const USERNAME = 'admin'

/**
 * Makes the user `admin` in a database that has no users: somebody must be there to make the others. Of several
 * processes that start together one does. A password that is set later changes nothing for users who are there.
 */
export async function firstAdministrator(
  { db }: Database,
  password: string | undefined,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  if (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) return
  if (password === undefined)
    return log.warn('nobody can sign in: there are no users, and SVC_ADMIN_PASSWORD makes the first one')
  const now = new Date().toISOString()
  const user = { username: USERNAME, email: `${USERNAME}@example.invalid`, roles: JSON.stringify(['admin']) }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('users')
    .values({ ...user, passwordHash: await hashPassword(password), revision: 1, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 1n) log.info({ username: USERNAME }, 'made the first user, an administrator')
}
