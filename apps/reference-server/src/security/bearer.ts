import { readFileSync } from 'node:fs'
import type { HttpError } from '@svc/errors'
import { createLocalJWKSet, createRemoteJWKSet, type JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Connection } from '../database/connection.ts'
import { chain, type MaybePromise } from '../database/maybe-promise.ts'
import { type Caller, createCaller, isUserSubject } from './caller.ts'
import type { SigningKey } from './issuer.ts'
import { ALL_SCOPES, knownRoles, listScopes } from './scopes.ts'
import { findUserBySubject, type UserRecord } from './users.ts'
import { rejectForm, type TokenClaims, tokenError, verifyToken } from './verify-token.ts'

export interface TokenChecker {
  /**
   * The caller of a token that was verified before and is still valid, if nothing has to be read
   * for that: at this number of changes of the users.
   */
  known(token: string, changes: number | undefined): Caller | undefined
  /**
   * The caller of a token, at this number of changes. Returns, or rejects with, a 401 that names
   * the failed check; rejects with a 503 if the keys of an external issuer cannot be fetched.
   */
  check(token: string, changes: number | undefined): MaybePromise<Caller | HttpError>
}

export interface TokenRules {
  /** Whether tokens of this issuer are accepted. */
  isIssuer(issuer: string): boolean
  audience: string
  /** JWKS of an external issuer: a file or a URL. Omitted: our own keys. */
  jwks: string | undefined
  key: SigningKey
}

/** A token that was verified, and the caller that was made of it. */
interface Verified {
  claims: TokenClaims
  until: number
  caller?: Caller
  /** The user when `caller` was created; `undefined` for subjects of other services. */
  user?: UserRecord
  /** The number of changes of the users at which this user was read. */
  changes?: number | undefined
}

const MAX_VERIFIED = 5000
const MAX_VERIFIED_BYTES = 4 * 1024 * 1024
const KEYS_FOR_MS = 10 * 60_000

/**
 * Creates a checker. A token that was verified is known until it expires, and no longer than the
 * keys of an external issuer are cached: a token of a withdrawn key ends with the key. The user is
 * read again whenever a user has changed, or for each request while that is unknown, so that a
 * changed role and a deleted user count at once in every process.
 */
export function tokenChecker(db: Connection, { isIssuer, audience, jwks, key }: TokenRules): TokenChecker {
  const rules = { keys: readKeys(jwks, key), audience, isIssuer }
  const verified = new LRUCache<string, Verified>({
    max: MAX_VERIFIED,
    maxSize: MAX_VERIFIED_BYTES,
    sizeCalculation: (_, token) => token.length,
  })
  const keysFor = isRemote(jwks) ? KEYS_FOR_MS : Number.POSITIVE_INFINITY
  const find = (token: string): Verified | undefined => {
    const entry = verified.get(token)
    return entry && entry.until > Date.now() ? entry : undefined
  }
  return {
    known(token, changes) {
      const entry = find(token)
      const isCurrent = !entry?.user || (changes !== undefined && entry.changes === changes)
      return isCurrent ? entry?.caller : undefined
    },
    check(token, changes) {
      const cached = find(token)
      if (cached) return callerFor(cached, changes)
      return (
        rejectForm(token) ??
        verifyToken(token, rules).then((claims) => {
          const entry: Verified = { claims, until: Math.min(claims.endsAt, Date.now() + keysFor) }
          verified.set(token, entry)
          return callerFor(entry, changes)
        })
      )
    },
  }

  function callerFor(entry: Verified, changes: number | undefined): MaybePromise<Caller | HttpError> {
    const { claims } = entry
    if (!isUserSubject(claims.subject)) return (entry.caller ??= toCaller(claims, undefined))
    return chain(findUserBySubject(db, claims.subject), (user) => {
      if (!user) return tokenError('user', { sub: claims.subject })
      if (!entry.caller || !hasSameRights(entry.user, user)) entry.caller = toCaller(claims, user)
      // Always together: of two lookups at once, the later one may have read the older rights.
      entry.user = user
      entry.changes = changes
      return entry.caller
    })
  }
}

function hasSameRights(before: UserRecord | undefined, user: UserRecord): boolean {
  const isSameName = before?.username === user.username && before.customerId === user.customerId
  return isSameName && String(before.roles) === String(user.roles)
}

// Claims narrow the rights of a user. They grant rights only to subjects that are not users of this
// service.
function toCaller(
  { subject, clientId, scopes: named, roles: claimed }: TokenClaims,
  user: UserRecord | undefined,
): Caller {
  const roles = user ? user.roles.filter((role) => claimed?.includes(role) ?? true) : knownRoles(claimed ?? [])
  const allowed = user ? listScopes(user.roles) : new Set(ALL_SCOPES)
  const scopes = new Set(named.filter((scope) => allowed.has(scope)))
  const name = user?.username ?? subject
  const ids = { userId: user?.id, customerId: user?.customerId }
  return createCaller({ subject, name, ...ids, roles, scopes, scheme: 'Bearer', clientId })
}

function readKeys(jwks: string | undefined, { publicJwk }: SigningKey): JWTVerifyGetKey {
  if (jwks === undefined) return createLocalJWKSet({ keys: [publicJwk] })
  if (isRemote(jwks)) return createRemoteJWKSet(new URL(jwks), { cacheMaxAge: KEYS_FOR_MS })
  return createLocalJWKSet(JSON.parse(readFileSync(jwks, 'utf8')))
}

function isRemote(jwks: string | undefined): boolean {
  return jwks !== undefined && /^https?:/.test(jwks)
}
