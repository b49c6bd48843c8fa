import { type Connection, type Id, idOf } from '../database/connection.ts'
import { chain, type MaybePromise } from '../database/maybe-promise.ts'
import { knownRoles, type Role } from './scopes.ts'

/** What authentication knows about a user. */
export interface UserRecord {
  id: number
  /** What tokens know the user by: it stays when the username changes. */
  subject: string
  username: string
  roles: readonly Role[]
  customerId: Id | undefined
  passwordHash: string
  /** The secret for SOAP, sealed. */
  soapSecret: string | undefined
}

type UserRow = Omit<UserRecord, 'roles' | 'customerId' | 'soapSecret'> & {
  roles: string
  customerId: string | null
  soapSecret: string | null
}

const SELECT = `select "id", "subject", "username", "roles", "passwordHash", "soapSecret",
  cast("customerId" as text) as "customerId" from "users"`

/** Finds the user who has this name now. */
export function findUser(db: Connection, username: string): MaybePromise<UserRecord | undefined> {
  return chain(db.get<UserRow>(`${SELECT} where "username" = ?`, [username]), toUser)
}

/** Finds the user with this subject, whatever their name is. */
export function findUserBySubject(db: Connection, subject: string): MaybePromise<UserRecord | undefined> {
  return chain(db.get<UserRow>(`${SELECT} where "subject" = ?`, [subject]), toUser)
}

function toUser(row: UserRow | undefined): UserRecord | undefined {
  if (!row) return undefined
  return {
    ...row,
    roles: knownRoles(JSON.parse(row.roles) as unknown[]),
    customerId: row.customerId === null ? undefined : idOf(row.customerId),
    soapSecret: row.soapSecret ?? undefined,
  }
}
