import { timingSafeEqual } from 'node:crypto'
import type { FindUser, StoredCredentials } from '@svc/soap-envelope'
import type { Database } from '../database/database.ts'
import { DEMO_USERS, demoPassword } from '../database/seed/demo-users.ts'
import { findUser as findUserRecord } from '../database/users.ts'
import type { CheckPassword, Guess } from '../security/basic.ts'
import { callerOfUser } from '../security/caller-of.ts'
import type { SoapSecrets } from '../security/soap-secrets.ts'

export interface SoapCredentialsParts {
  database: Database
  checkPassword: CheckPassword
  secrets: SoapSecrets
  /** Counts what is guessed for a user by whoever sends this message. */
  guessOf(username: string): Guess
  /** Whether the public passwords of the demo users may be used for digests. */
  isDemo: boolean
}

export interface SoapCredentials {
  findUser: FindUser
  /** Takes as long as a user that exists. */
  dummyCredentials: StoredCredentials
}

const FREE: Guess = { begin: () => Promise.resolve(), succeeded: () => Promise.resolve() }

/**
 * What messages are checked against: the password of the user, or the secret for SOAP. A digest needs the clear text,
 * so that it is for users with a secret, and for the demo users as long as they have their first password.
 */
export function soapCredentials(parts: SoapCredentialsParts): SoapCredentials {
  const { database, checkPassword, secrets, guessOf, isDemo } = parts
  const findUser: FindUser = async (username) => {
    const user = await findUserRecord(database.db, username)
    if (!user) return undefined
    const { soapSecret } = user
    const secret = soapSecret === undefined ? undefined : secrets.open(username, soapSecret)
    const clear = secret ?? (isDemo ? await firstPassword(username, checkPassword) : undefined)
    const verify = async (password: string): Promise<boolean> =>
      (secret !== undefined && isSame(password, secret)) ||
      (await checkPassword(username, password, guessOf(username))) !== undefined
    return { subject: callerOfUser(user), verify, ...(clear !== undefined && { password: clear }) }
  }
  const nobody = async (password: string): Promise<boolean> => {
    await checkPassword('', password, guessOf(''))
    return false
  }
  return { findUser, dummyCredentials: { verify: nobody } }
}

async function firstPassword(username: string, checkPassword: CheckPassword): Promise<string | undefined> {
  if (!DEMO_USERS.some((user) => user.username === username)) return undefined
  const password = demoPassword(username)
  return (await checkPassword(username, password, FREE)) && password
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
