import { type Db, dialectOf } from '../database/database.ts'
import { run, statement } from '../database/query.ts'
import { type Id, idOf } from '../database/values.ts'
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

const SELECT = `select "id", "subject", "username", "roles", "passwordHash", "soapSecret",
  cast("customerId" as text) as "customerId" from "users"`

const BY_NAME = statementsFor(`${SELECT} where "username" = ?`)
const BY_SUBJECT = statementsFor(`${SELECT} where "subject" = ?`)

/** Finds the user who has this name now. */
export function findUser(db: Db, username: string): Promise<UserRecord | undefined> {
  return find(db, BY_NAME, username)
}

/** Finds the user with this subject, whatever their name is. */
export function findUserBySubject(db: Db, subject: string): Promise<UserRecord | undefined> {
  return find(db, BY_SUBJECT, subject)
}

function statementsFor(text: string): { sqlite: string; postgres: string } {
  return { sqlite: statement('sqlite', text), postgres: statement('postgres', text) }
}

async function find(db: Db, sql: typeof BY_NAME, value: string): Promise<UserRecord | undefined> {
  const [row] = await run(db, sql[dialectOf(db)], [value])
  if (!row) return undefined
  return {
    id: Number(row['id']),
    subject: String(row['subject']),
    username: String(row['username']),
    roles: knownRoles(JSON.parse(String(row['roles'])) as unknown[]),
    customerId: row['customerId'] === null ? undefined : idOf(String(row['customerId'])),
    passwordHash: String(row['passwordHash']),
    soapSecret: row['soapSecret'] === null ? undefined : String(row['soapSecret']),
  }
}
