import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { LRUCache } from 'lru-cache'
import type { Db } from '../database/database.ts'
import { findUser, type UserRecord } from '../database/users.ts'
import type { Caller } from './caller.ts'
import { markOf } from './caller-of.ts'
import { ALL_SCOPES, knownRoles, type Role, scopesOf } from './scopes.ts'
import type { SigningKey } from './signing-key.ts'

/** Checks access tokens (RFC 9068). */
export interface TokenChecker {
  /** Whose a token is that was verified before and still holds. */
  known(token: string): Caller | undefined
  /** `undefined`: the token is not to be trusted. Rejects where the keys of an external issuer cannot be had. */
  check(token: string): Promise<Caller | undefined>
}

export interface TokenRules {
  issuer: string
  audience: string
  /** JWKS of an external issuer: a file or a URL. Left out: our own keys. */
  jwks: string | undefined
  key: SigningKey
}

const MAX_TOKEN = 8192
const MAX_VERIFIED = 5000
const LEEWAY_SECONDS = 5
const ALGORITHMS = ['ES256', 'EdDSA', 'RS256']
const MAX_AGE_SECONDS = 3600
const KEYS_FOR_MS = 10 * 60_000
const REQUIRED = ['exp', 'iat', 'sub', 'jti', 'client_id']

/**
 * Makes a checker. What was verified is known by its hash until it expires, and no longer than the keys of an external
 * issuer are kept: a token of a key that was withdrawn ends with the key.
 */
export function tokenChecker(db: Db, { issuer, audience, jwks, key }: TokenRules): TokenChecker {
  const keys = keysOf(jwks, key)
  const verified = new LRUCache<string, { caller: Caller; until: number }>({ max: MAX_VERIFIED })
  const keysFor = isRemote(jwks) ? KEYS_FOR_MS : Number.POSITIVE_INFINITY
  const rules = {
    ...{ issuer, audience, algorithms: ALGORITHMS, requiredClaims: REQUIRED },
    ...{ typ: 'at+jwt', clockTolerance: LEEWAY_SECONDS, maxTokenAge: MAX_AGE_SECONDS },
  }
  return {
    known(token) {
      const before = token.length > MAX_TOKEN ? undefined : verified.get(hash('sha256', token, 'base64'))
      return before && before.until > Date.now() ? before.caller : undefined
    },
    async check(token) {
      const payload = token.length > MAX_TOKEN ? undefined : await verify(token, keys, rules)
      if (!payload) return undefined
      const caller = await callerOf(payload, db)
      const until = Math.min(endOf(payload), Date.now() + keysFor)
      verified.set(hash('sha256', token, 'base64'), { caller, until })
      return caller
    },
  }
}

/** When a token stops to hold: it expires, or is too old, whichever comes first. */
function endOf({ exp = 0, iat = 0 }: JWTPayload): number {
  return (Math.min(exp, iat + MAX_AGE_SECONDS) + LEEWAY_SECONDS) * 1000
}

async function verify(
  token: string,
  keys: JWTVerifyGetKey,
  rules: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload | undefined> {
  try {
    return (await jwtVerify(token, keys, rules)).payload
  } catch (error) {
    // The keys could not be fetched: that is not the token's fault.
    if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) throw error
    if (error instanceof TypeError && error.message === 'fetch failed') throw error
    return undefined
  }
}

function keysOf(jwks: string | undefined, { publicJwk }: SigningKey): JWTVerifyGetKey {
  if (jwks === undefined) return createLocalJWKSet({ keys: [publicJwk] })
  if (isRemote(jwks)) return createRemoteJWKSet(new URL(jwks), { cacheMaxAge: KEYS_FOR_MS })
  return createLocalJWKSet(JSON.parse(readFileSync(jwks, 'utf8')) as JSONWebKeySet)
}

function isRemote(jwks: string | undefined): boolean {
  return jwks !== undefined && /^https?:/.test(jwks)
}

async function callerOf(payload: JWTPayload, db: Db): Promise<Caller> {
  const subject = payload.sub ?? ''
  const user = await findUser(db, subject)
  const claimed = payload['roles']
  const roles = rolesOf(Array.isArray(claimed) ? claimed : undefined, user)
  const named = typeof payload['scope'] === 'string' ? payload['scope'].split(' ') : []
  const allowed = user ? scopesOf(user.roles) : new Set(ALL_SCOPES)
  const scopes = new Set(named.filter((scope) => allowed.has(scope)))
  return {
    ...{ subject, userId: user?.id, customerId: user?.customerId, roles, scopes },
    ...{ mark: markOf(subject, roles, scopes), scheme: 'Bearer', clientId: String(payload['client_id']) },
  }
}

// A claim narrows the roles of a user. It grants roles only to subjects that are not users of this service.
function rolesOf(claimed: readonly unknown[] | undefined, user: UserRecord | undefined): Role[] {
  if (!user) return knownRoles(claimed ?? [])
  return claimed ? user.roles.filter((role) => claimed.includes(role)) : [...user.roles]
}
