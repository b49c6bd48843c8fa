import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { HttpError } from '@svc/errors'
import { ipKey } from '@svc/ratelimit'
import { LRUCache } from 'lru-cache'
import type { Connection } from '../database/connection.ts'
import type { MaybePromise } from '../database/maybe-promise.ts'
import { type FailureKey, failure } from '../messages/errors.ts'
import type { Attempts } from './attempts.ts'
import type { TokenChecker } from './bearer.ts'
import { type Caller, CHALLENGES, createUserCaller } from './caller.ts'
import { createDecoyHash, verifyPassword } from './password.ts'
import { findUser } from './users.ts'

export interface Authenticator {
  /**
   * Returns the caller of credentials that were checked before and are still valid, if nothing has
   * to be read for that: at this number of changes of the users.
   */
  known(authorization: string, changes: number | undefined): Caller | undefined
  /**
   * Checks the credentials, at this number of changes. Returns, or rejects with, a 400, 401 or 429.
   * `getClient` is called if attempts of a client are counted.
   */
  check(authorization: string, getClient: () => Client, changes: number | undefined): MaybePromise<Caller | HttpError>
}

/** The client that tries a password. */
export interface Client {
  /** Attempts are counted for each address, of IPv6 for each subnet. */
  readonly address: string
  /** Called before a password is hashed. An error that it throws rejects the attempt. */
  charge?(): Promise<void>
}

const SCHEME = /^([A-Za-z]+)(?: +(.*))?$/s
const BEARER = 'Bearer '
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/

const MAX_PROVEN = 5000

// Passwords are known by a keyed hash only. It never leaves the process, so that a key in front of
// the text is enough, at a third of the cost of an HMAC.
const KEY = randomBytes(32).toString('base64')

function digest(text: string): string {
  return hash('sha256', KEY + text, 'base64')
}

interface Checks {
  checkPassword: CheckPassword
  tokens: TokenChecker
  attempts: Pick<Attempts, 'counted'>
}

/** Creates the authenticator for Basic and Bearer. Each request is checked by itself. */
export function authenticator({ checkPassword, tokens, attempts }: Checks): Authenticator {
  // What was proven is known as long as no user has changed.
  const proven = new LRUCache<string, { caller: Caller; changes: number }>({ max: MAX_PROVEN })
  const checkBasic = async (
    authorization: string,
    credentials: string,
    client: Client,
    changes: number | undefined,
  ): Promise<Caller> => {
    const read = readBasic(credentials)
    const caller = read && (await checkPassword(read.username, read.password, client))
    if (!caller) throw failure('INVALID_CREDENTIALS', undefined, { headers: CHALLENGES })
    if (changes !== undefined) proven.set(digest(authorization), { caller, changes })
    return caller
  }
  return {
    known(authorization, changes) {
      if (authorization.startsWith(BEARER)) return tokens.known(authorization.slice(BEARER.length), changes)
      const entry = changes !== undefined && attempts.counted.size === 0 ? proven.get(digest(authorization)) : undefined
      return entry?.changes === changes ? entry?.caller : undefined
    },
    check(authorization, getClient, changes) {
      const [, scheme = '', credentials = ''] = SCHEME.exec(authorization) ?? []
      switch (scheme.toLowerCase()) {
        case 'bearer':
          if (!TOKEN.test(credentials)) return invalidRequest('INVALID_REQUEST.tokenForm')
          return tokens.check(credentials, changes)
        case 'basic':
          return checkBasic(authorization, credentials.trim(), getClient(), changes)
        default:
          return failure('INVALID_CREDENTIALS.scheme', { supported: ['Bearer', 'Basic'] }, { headers: CHALLENGES })
      }
    },
  }
}

/** Creates the 400 for a request that is itself wrong (RFC 6750 §3.1). */
export function invalidRequest(key: FailureKey): HttpError {
  const headers = { 'WWW-Authenticate': 'Bearer realm="svc", error="invalid_request"' }
  return failure(key, undefined, { headers })
}

/**
 * Checks a name and a password, or the separate secret of the user if there is one. `undefined`:
 * they are not those of a user. Rejects with a 429 after too many attempts from this client;
 * without a client nothing is counted.
 */
export type CheckPassword = (
  username: string,
  password: string,
  client?: Client,
  secret?: string,
) => Promise<Caller | undefined>

/**
 * Checks passwords against their hashes. A password that was proven once is known by a keyed hash,
 * together with the stored hash that it was proven against: from the same address it is not an
 * attempt, and neither slowed down nor hashed again. A changed password, a changed role and a
 * deleted user count at once. Everything is kept by user and not by name. No password has one of
 * the hashes in `disabled`.
 */
export function passwordChecker(db: Connection, prove: Prove, disabled: readonly string[]): CheckPassword {
  // An unknown user costs as much time as a wrong password.
  const decoy = createDecoyHash()
  return async (username, password, client, secret) => {
    const user = await findUser(db, username)
    const owner = user?.subject ?? `name ${username}`
    const stored = user && !disabled.includes(user.passwordHash) ? user.passwordHash : decoy
    const isRight = await prove([owner, stored, secret ?? '', password], client, async () => {
      return (secret !== undefined && isSame(password, secret)) || (await verifyPassword(password, stored))
    })
    return isRight && user ? createUserCaller(user) : undefined
  }
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Proves what a client sends about a user: the owner, and all that the proof depends on. Rejects
 * with a 429 like {@link CheckPassword}.
 */
export type Prove = (
  facts: readonly [owner: string, ...others: string[]],
  client: Client | undefined,
  verify: () => MaybePromise<boolean>,
) => Promise<boolean>

/**
 * Counts attempts. What was proven once is not an attempt from the same address, and not verified
 * again. From another address it is: otherwise only the right guess would be let through there.
 */
export function prover(attempts: Attempts): Prove {
  const proven = new LRUCache<string, true>({ max: MAX_PROVEN })
  const tryOnce = async (
    attempt: string | undefined,
    client: Client | undefined,
    verify: () => MaybePromise<boolean>,
  ): Promise<boolean> => {
    if (attempt === undefined) return await verify()
    await client?.charge?.()
    await attempts.begin(attempt)
    const isRight = await verify()
    if (isRight) await attempts.succeeded(attempt)
    return isRight
  }
  // The same password in parallel is one attempt, and one hash.
  const running = new Map<string, Promise<boolean>>()
  return async (facts, client, verify) => {
    const address = client ? (ipKey(client.address) ?? client.address) : ''
    const attempt = client && `${address}\n${facts[0]}`
    const proof = digest([address, ...facts].map((fact) => `${fact.length}:${fact}`).join(''))
    if (proven.has(proof)) {
      if (attempt !== undefined) await attempts.proven(attempt)
      return true
    }
    const work = running.get(proof) ?? tryOnce(attempt, client, verify).finally(() => running.delete(proof))
    running.set(proof, work)
    const isRight = await work
    if (isRight) proven.set(proof, true)
    return isRight
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads the credentials of `Basic` (RFC 7617); `undefined` if they are malformed. */
function readBasic(credentials: string): { username: string; password: string } | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(credentials)) return undefined
  let text: string
  try {
    text = decoder.decode(Buffer.from(credentials, 'base64'))
  } catch {
    return undefined
  }
  const colon = text.indexOf(':')
  if (colon === -1 || /\p{Cc}/u.test(text)) return undefined
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}
