import { type Id, idOf } from '../resources/fields.ts'
import { knownRoles, type Role } from '../security/scopes.ts'
import type { Db } from './database.ts'

/** What authentication knows about a user. */
export interface UserRecord {
  id: number
  username: string
  roles: readonly Role[]
  customerId: Id | undefined
  passwordHash: string
  /** The secret for SOAP, sealed. */
  soapSecret: string | undefined
}

/** The user of this name, or `undefined`. */
export async function findUser(db: Db, username: string): Promise<UserRecord | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'roles', 'passwordHash', 'soapSecret'])
    .select((eb) => eb.cast<string | null>('customerId', 'text').as('customerId'))
    .where('username', '=', username)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id: Number(row['id']),
    username: String(row['username']),
    roles: knownRoles(JSON.parse(String(row['roles'])) as unknown[]),
    customerId: row.customerId === null ? undefined : idOf(row.customerId),
    passwordHash: String(row['passwordHash']),
    soapSecret: row['soapSecret'] === null ? undefined : String(row['soapSecret']),
  }
}
