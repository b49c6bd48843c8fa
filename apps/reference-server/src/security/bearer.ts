import { createHash } from 'node:crypto'
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
import { findUser } from '../database/users.ts'
import type { Caller } from './caller.ts'
import { markOf } from './caller-of.ts'
import type { SigningKey } from './signing-key.ts'

/** `undefined`: the token is not to be trusted. Rejects where the keys of an external issuer cannot be had. */
export type CheckToken = (token: string) => Promise<Caller | undefined>

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
const REQUIRED = ['exp', 'iat', 'sub', 'jti', 'client_id']

/** Checks access tokens (RFC 9068). What was verified is known by its hash until it expires. */
export function tokenChecker(db: Db, { issuer, audience, jwks, key }: TokenRules): CheckToken {
  const keys = keysOf(jwks, key)
  const verified = new LRUCache<string, { caller: Caller; expiresAt: number }>({ max: MAX_VERIFIED })
  const rules = {
    ...{ issuer, audience, algorithms: ALGORITHMS, requiredClaims: REQUIRED },
    ...{ typ: 'at+jwt', clockTolerance: LEEWAY_SECONDS, maxTokenAge: '1h' },
  }
  return async (token) => {
    if (token.length > MAX_TOKEN) return undefined
    const digest = createHash('sha256').update(token).digest('base64')
    const known = verified.get(digest)
    if (known) return known.expiresAt > Date.now() ? known.caller : undefined
    const payload = await verify(token, keys, rules)
    if (!payload) return undefined
    const caller = await callerOf(payload, db)
    verified.set(digest, { caller, expiresAt: (Number(payload.exp) + LEEWAY_SECONDS) * 1000 })
    return caller
  }
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
  if (/^https?:/.test(jwks)) return createRemoteJWKSet(new URL(jwks))
  return createLocalJWKSet(JSON.parse(readFileSync(jwks, 'utf8')) as JSONWebKeySet)
}

async function callerOf(payload: JWTPayload, db: Db): Promise<Caller> {
  const subject = payload.sub ?? ''
  const user = await findUser(db, subject)
  const scopes = new Set(typeof payload['scope'] === 'string' ? payload['scope'].split(' ').filter(Boolean) : [])
  const claimed = payload['roles']
  const roles = Array.isArray(claimed) ? claimed.map(String) : (user?.roles ?? [])
  return {
    ...{ subject, userId: user?.id, customerId: user?.customerId, roles, scopes },
    ...{ mark: markOf(subject, roles, scopes), scheme: 'Bearer', clientId: String(payload['client_id']) },
  }
}
