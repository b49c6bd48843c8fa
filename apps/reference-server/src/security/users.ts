import type { Logger } from 'pino'
import { type Connection, type Id, insertRows, parseId, type StoredRow } from '../database/connection.ts'
import { chain, type MaybePromise } from '../database/maybe-promise.ts'
import { hashPassword } from './password.ts'
import { knownRoles, type Role } from './scopes.ts'

/** A user, as authentication needs it. */
export interface UserRecord {
  id: number
  /** Identifier of the user in tokens. It stays when the username changes. */
  subject: string
  username: string
  roles: readonly Role[]
  customerId: Id | undefined
  passwordHash: string
  /** The secret for SOAP, sealed. */
  soapSecret: string | undefined
}

const SELECT = `select "subject", "id", "username", "roles", "passwordHash", "soapSecret",
  cast("customerId" as text) from "users"`

/** Finds the user who has this name now. */
export function findUser(db: Connection, username: string): MaybePromise<UserRecord | undefined> {
  return chain(db.rows(`${SELECT} where "username" = ?`, [username]), ([row]) => toUser(row))
}

/** Finds the user with this subject, whatever their name is. */
export function findUserBySubject(db: Connection, subject: string): MaybePromise<UserRecord | undefined> {
  return chain(db.find(`${SELECT} where "subject" = ?`, subject), toUser)
}

function toUser(row: StoredRow | undefined): UserRecord | undefined {
  if (!row) return undefined
  const [subject, id, username, roles, passwordHash, soapSecret, customerId] = row
  return {
    id: Number(id),
    subject: String(subject),
    username: String(username),
    roles: knownRoles(JSON.parse(String(roles))),
    customerId: customerId === null ? undefined : parseId(String(customerId)),
    passwordHash: String(passwordHash),
    soapSecret: soapSecret === null ? undefined : String(soapSecret),
  }
}

const USERNAME = 'admin'

/**
 * Creates the user `admin` in a database without users, who can then create the others. Users with
 * one of the hashes in `disabled` do not count. If several processes start together, one of them
 * does. The password of an existing user is never changed.
 */
export async function firstAdministrator(
  db: Connection,
  password: string | undefined,
  disabled: readonly string[],
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const hashes = ['', ...disabled]
  const others = `"passwordHash" not in (${hashes.map(() => '?').join(', ')})`
  if (await db.get(`select 1 from "users" where ${others} limit 1`, hashes)) return
  if (password === undefined) return log.warn('no user can sign in: set SVC_ADMIN_PASSWORD to create the first one')
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
    log.info({ username: USERNAME }, 'created the first user, an administrator')
}
