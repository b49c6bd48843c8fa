import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import type { HttpError } from '@svc/errors'
import {
  authenticationHeader,
  type CredentialOptions,
  type FindUser,
  type NonceStore,
  type SecurityMechanism,
  SoapFault,
  type SoapRequest,
  usernameToken,
} from '@svc/soap-envelope'
import { type Connection, type Database, insertRows } from '../../database/connection.ts'
import { DEMO_USERS, demoPassword } from '../../domain/seed/demo-users.ts'
import { getMessage } from '../../domain/soap/message.ts'
import { isTooManyAttempts } from '../../security/attempts.ts'
import type { CheckPassword, Client, Prove } from '../../security/authenticator.ts'
import { createUserCaller } from '../../security/caller.ts'
import { findUser as findUserRecord } from '../../security/users.ts'

export interface SoapCredentialsParts {
  database: Database
  checkPassword: CheckPassword
  prove: Prove
  secrets: SoapSecrets
  /** Whether the public passwords of the demo users may be used for digests. */
  hasDemoUsers: boolean
}

const NAMESPACES = ['customer/v1', 'customer/v2', 'price/v1', 'price/v2'].map((name) => `http://svc.example/ws/${name}`)

/** Creates the ways to authenticate in a message: UsernameToken, and a header of each contract. */
export function messageSecurity(parts: SoapCredentialsParts): SecurityMechanism[] {
  const credentials = soapCredentials(parts)
  return [
    usernameToken({ ...credentials, nonceStore: nonceStore(parts.database) }),
    ...NAMESPACES.map((namespace) => authenticationHeader({ ...credentials, namespace })),
  ]
}

/**
 * Creates the credentials check of messages: the password of the user, or the secret for SOAP. A
 * digest needs the clear text. Only users with a secret can use one, and demo users as long as they
 * have their first password.
 */
function soapCredentials(parts: SoapCredentialsParts): CredentialOptions {
  const { database, checkPassword, prove, secrets, hasDemoUsers } = parts
  // A name that no user has is checked like any other, so that nothing tells it.
  const findUser: FindUser = async (username) => {
    const user = await findUserRecord(database, username)
    const secret = user?.soapSecret === undefined ? undefined : secrets.open(user.subject, user.soapSecret)
    const clear = secret ?? (user && hasDemoUsers ? await firstPassword(username, checkPassword) : undefined)
    const owner = user?.subject ?? `name ${username}`
    return {
      subject: user && createUserCaller(user),
      ...(clear !== undefined && { password: clear }),
      async verify(password, request) {
        return (await counted(checkPassword(username, password, getClient(request), secret))) !== undefined
      },
      async onDigest(isRight, request) {
        // A wrong digest says nothing of its own: each is another attempt.
        const fact = isRight && clear !== undefined ? clear : randomUUID()
        await counted(prove([owner, fact], getClient(request), () => isRight))
      },
    }
  }
  return { findUser }
}

function getClient(request: SoapRequest): Client {
  return { address: getMessage(request)?.address ?? '' }
}

function counted<T>(check: Promise<T>): Promise<T> {
  return check.catch((error: unknown) => {
    throw isTooManyAttempts(error) ? attemptsFault(error.message, error.headers) : error
  })
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

/**
 * Stores nonces in the database, so that a digest is accepted once, by whichever process receives
 * it first.
 */
function nonceStore(db: Connection): NonceStore {
  return {
    async add(nonce, untilMs, nowMs) {
      await db.run('delete from "soap_nonces" where "untilMs" < ?', [nowMs])
      const count = await insertRows(db, 'soap_nonces', [{ nonce, untilMs }], { orIgnore: true })
      return count === 1 ? 'added' : 'seen'
    },
  }
}

export type SoapSecrets = ReturnType<typeof soapSecrets>

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Keeps secrets that must be read again: a digest of WS-Security is made of the clear text. AES-256
 * in GCM, with a nonce for each secret; the subject of the user is bound to it.
 */
export function soapSecrets(key: Uint8Array) {
  return {
    /** Encrypts a secret for one user: no other user's row can hold it. */
    seal(subject: string, secret: string): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(subject))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
    },
    /** Decrypts a secret; `undefined` if it was sealed with another key or for another user. */
    open(subject: string, sealed: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(subject))
          .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        const secret = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
        return Buffer.concat([secret, decipher.final()]).toString()
      } catch {
        return undefined
      }
    },
  }
}
