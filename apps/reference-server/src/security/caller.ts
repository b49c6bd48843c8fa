import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Id } from '../database/connection.ts'
import { failure } from '../messages/errors.ts'
import { listScopes, type Role } from './scopes.ts'
import type { UserRecord } from './users.ts'

/** The user of a request, as authenticated by its credentials. */
export interface Caller {
  /** Stable identifier of the caller in stored data. No other caller ever has it. */
  subject: string
  /** Current username, or the subject if the caller is not a user of this service. */
  name: string
  /** Id in /users, if the caller is a user of this service. */
  userId: number | undefined
  customerId: Id | undefined
  /** Roles of this service: the user's in the database, or those that an external issuer states. */
  roles: readonly Role[]
  scopes: ReadonlySet<string>
  /** 128 bits that tell callers apart who may see different things, such as links. */
  mark: string
  /** Distinguishes marks within this process, in keys of caches: V8 hashes a short key faster. */
  markNumber: number
  scheme: 'Basic' | 'Bearer'
  /** The application behind a token. */
  clientId: string | undefined
}

/** Roles and scopes that lift the restriction to own items. Any one of them is enough. */
export interface Lift {
  roles?: readonly Role[]
  scopes?: readonly string[]
}

/** Whether a caller reaches only their own items. Only a known role or scope lifts that. */
export function isConfined(caller: Caller | undefined, { roles = [], scopes = [] }: Lift): boolean {
  if (!caller) return true
  for (const role of roles) if (caller.roles.includes(role)) return false
  for (const scope of scopes) if (caller.scopes.has(scope)) return false
  return true
}

/** Whether a value is the id that the caller has as a user, or as a customer. */
export function hasId(caller: Caller | undefined, as: 'userId' | 'customerId', value: unknown): boolean {
  const id = caller?.[as]
  return id !== undefined && String(id) === String(value)
}

type Mark = Pick<Caller, 'mark' | 'markNumber'>

const marks = new LRUCache<string, Mark>({ max: 1000 })
let markCount = 0

/** Creates a caller with the mark that follows from its permissions. */
export function createCaller(caller: Omit<Caller, keyof Mark>): Caller {
  const { subject, roles, scopes, userId, customerId } = caller
  const key = JSON.stringify([subject, roles, [...scopes], userId, customerId])
  const mark = marks.get(key) ?? createMark(key)
  marks.set(key, mark)
  return { ...caller, ...mark }
}

// A number is never given again, so a mark that left the cache gets another one.
function createMark(key: string): Mark {
  return { mark: createHash('sha256').update(key).digest('base64url').slice(0, 22), markNumber: ++markCount }
}

type UserRights = Pick<UserRecord, 'id' | 'subject' | 'username' | 'roles' | 'customerId'>

export function createUserCaller({ id, subject, username, roles, customerId }: UserRights): Caller {
  const user = { subject, name: username, userId: id, customerId, roles, scopes: listScopes(roles) }
  return createCaller({ ...user, scheme: 'Basic', clientId: undefined })
}

const SUBJECT = /^user:[0-9a-f]{32}$/

/**
 * Creates the subject of a new user: what tokens, keys, limits and operations know the user by. It
 * is random, so that no other user ever has it: not after a rename, a deletion, a restored backup
 * or a new database.
 */
export function createSubject(): string {
  return `user:${randomBytes(16).toString('hex')}`
}

/** Whether a subject has the form of those that this service gives to its users. */
export function isUserSubject(subject: string): boolean {
  return SUBJECT.test(subject)
}

/** Throws a 401 without a caller, and a 403 if the caller does not have the scope. */
export function requireScope(caller: Caller | undefined, scope: string): void {
  if (caller?.scopes.has(scope)) return
  if (!caller) throw failure('AUTHENTICATION_REQUIRED', undefined, { headers: CHALLENGES })
  const challenge = `Bearer realm="svc", error="insufficient_scope", scope="${scope}"`
  const init = caller.scheme === 'Bearer' ? { headers: { 'WWW-Authenticate': challenge } } : {}
  throw failure('INSUFFICIENT_SCOPE.scope', { scope }, init)
}

/** Two challenges, in two headers. */
export const CHALLENGES = {
  'WWW-Authenticate': ['Bearer realm="svc"', 'Basic realm="svc", charset="UTF-8"'],
}
