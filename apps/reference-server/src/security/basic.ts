import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Db } from '../database/database.ts'
import { findUser } from '../database/users.ts'
import type { Caller } from './caller.ts'
import { callerOfUser } from './caller-of.ts'
import { hashPassword, verifyPassword } from './password.ts'

/** Told of each password that must be hashed to be checked; what was verified before is not guessed. */
export interface Guess {
  /** Rejects where no more may be tried. */
  begin(): Promise<void>
  succeeded(): Promise<void>
}

/** Checks a name and a password. `undefined`: they are not those of a user. */
export type CheckPassword = (username: string, password: string, guess: Guess) => Promise<Caller | undefined>

const MAX_VERIFIED = 1000
const VERIFIED_FOR_MS = 10 * 60_000

/**
 * Checks passwords against their hashes. What was verified once is known by a keyed hash for a while, together with the
 * stored hash it was verified against: a changed password, a changed role and a deleted user count at once.
 */
export function passwordChecker(db: Db): CheckPassword {
  const key = randomBytes(32)
  const verified = new LRUCache<string, string>({ max: MAX_VERIFIED, ttl: VERIFIED_FOR_MS })
  // An unknown user costs as much time as a wrong password.
  const decoy = hashPassword(randomBytes(16).toString('base64'))
  const verify = async (password: string, hash: string | undefined, guess: Guess): Promise<boolean> => {
    await guess.begin()
    const isRight = await verifyPassword(password, hash ?? (await decoy))
    if (hash === undefined || !isRight) return false
    await guess.succeeded()
    return true
  }
  // The same password in parallel is one guess, and one hash.
  const atWork = new Map<string, Promise<boolean>>()
  return async (username, password, guess) => {
    const user = await findUser(db, username)
    const hash = user?.passwordHash
    const digest = createHmac('sha256', key).update(`${username.length}:${username}${password}`).digest('base64')
    if (user && verified.get(digest) === hash) return callerOfUser(user)
    const work = atWork.get(digest) ?? verify(password, hash, guess).finally(() => atWork.delete(digest))
    atWork.set(digest, work)
    if (!(await work) || !user) return undefined
    verified.set(digest, user.passwordHash)
    return callerOfUser(user)
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads the credentials of `Basic` (RFC 7617); `undefined` for everything that is none. */
export function readBasic(credentials: string): { username: string; password: string } | undefined {
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
