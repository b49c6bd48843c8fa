import { timingSafeEqual } from 'node:crypto'
import type { HttpError } from '@svc/errors'
import { type FindUser, type NonceStore, SoapFault, type SoapRequest, type StoredCredentials } from '@svc/soap-envelope'
import { type Connection, type Database, insertRows } from '../../database/connection.ts'
import { DEMO_USERS, demoPassword } from '../../domain/seed/demo-users.ts'
import { getMessage } from '../../domain/soap/message.ts'
import { isTooManyAttempts } from '../../security/attempts.ts'
import type { CheckPassword } from '../../security/authenticator.ts'
import { type Caller, createUserCaller } from '../../security/caller.ts'
import type { SoapSecrets } from '../../security/soap-secrets.ts'
import { findUser as findUserRecord } from '../../security/users.ts'

export interface SoapCredentialsParts {
  database: Database
  checkPassword: CheckPassword
  secrets: SoapSecrets
  /** Whether the public passwords of the demo users may be used for digests. */
  hasDemoUsers: boolean
}

export interface SoapCredentials {
  findUser: FindUser
  /** Takes as long as a user that exists. */
  dummyCredentials: StoredCredentials
}

/**
 * Creates the credentials check of messages: the password of the user, or the secret for SOAP. A
 * digest needs the clear text. Only users with a secret can use one, and demo users as long as they
 * have their first password.
 */
export function soapCredentials(parts: SoapCredentialsParts): SoapCredentials {
  const { database, checkPassword, secrets, hasDemoUsers } = parts
  // Wrong passwords are counted for each address.
  const check = (username: string, password: string, request: SoapRequest): Promise<Caller | undefined> =>
    checkPassword(username, password, getMessage(request)?.address ?? '').catch((error: unknown) => {
      throw isTooManyAttempts(error) ? attemptsFault((error as Error).message, (error as HttpError).headers) : error
    })
  const findUser: FindUser = async (username) => {
    const user = await findUserRecord(database, username)
    if (!user) return undefined
    const { soapSecret } = user
    const secret = soapSecret === undefined ? undefined : secrets.open(user.subject, soapSecret)
    const clear = secret ?? (hasDemoUsers ? await firstPassword(username, checkPassword) : undefined)
    const verify = async (password: string, request: SoapRequest): Promise<boolean> =>
      (secret !== undefined && isSame(password, secret)) || (await check(username, password, request)) !== undefined
    return { subject: createUserCaller(user), verify, ...(clear !== undefined && { password: clear }) }
  }
  const verify = async (password: string, request: SoapRequest): Promise<boolean> => {
    await check('', password, request)
    return false
  }
  return { findUser, dummyCredentials: { verify } }
}

/**
 * The fault for too many wrong passwords. Its status is that of every fault of the sender: clients
 * such as JAX-WS and gSOAP do not read a fault with 429.
 */
export function attemptsFault(reason: string, headers: HttpError['headers'] = {}): SoapFault {
  const retryAfter = headers['Retry-After']
  return new SoapFault({
    code: 'Sender',
    subcodes: ['RateLimited'],
    status: 429,
    reason,
    ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
  })
}

async function firstPassword(username: string, checkPassword: CheckPassword): Promise<string | undefined> {
  if (!DEMO_USERS.some((user) => user.username === username)) return undefined
  const password = demoPassword(username)
  return (await checkPassword(username, password)) && password
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Stores nonces in the database, so that a digest is accepted once, by whichever process receives
 * it first.
 */
export function nonceStore(db: Connection): NonceStore {
  return {
    async add(nonce, untilMs, nowMs) {
      await db.run('delete from "soap_nonces" where "untilMs" < ?', [nowMs])
      const count = await insertRows(db, 'soap_nonces', [{ nonce, untilMs }], { orIgnore: true })
      return count === 1 ? 'added' : 'seen'
    },
  }
}
