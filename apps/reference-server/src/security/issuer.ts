import { hkdfSync, randomUUID, type webcrypto } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import type { Connection } from '../database/connection.ts'
import { sharedSetting } from '../database/settings.ts'
import type { Caller } from './caller.ts'
import { isLocalOrigin } from './origin.ts'

/** The issuer of tokens, for discovery, for `iss` and for verification. */
export interface Issuer {
  /** The issuer for a request that came to this origin. */
  at(origin: string): string
  /** Whether `iss` is an issuer that some process of this service may have written. */
  accepts(issuer: string): boolean
}

/**
 * Creates the issuer: SVC_JWT_ISSUER, else the public URL. With neither of them each client finds
 * the service under an origin that it asked for, and RFC 8414 §3.3 requires that origin as the
 * issuer.
 */
export function createIssuer({ jwtIssuer, publicUrl }: { jwtIssuer: string | undefined; publicUrl: string }): Issuer {
  const configured = jwtIssuer ?? (publicUrl || undefined)
  if (configured === undefined) return { at: (origin) => origin, accepts: isLocalOrigin }
  return { at: () => configured, accepts: (issuer) => issuer === configured }
}

export type IssueToken = ReturnType<typeof tokenIssuer>

const LIFETIME_SECONDS = 900

/**
 * The issuer of the demo: ES256, `at+jwt`, a quarter of an hour. It creates an access token for a
 * caller, with `issuer` as its `iss`. `wanted` narrows its scopes.
 */
export function tokenIssuer(audience: string, { kid, privateKey }: SigningKey) {
  return async ({ subject, roles, scopes }: Caller, issuer: string, wanted?: string) => {
    const granted = wanted === undefined ? [...scopes] : wanted.split(' ').filter((name) => scopes.has(name))
    const scope = granted.join(' ')
    const token = new SignJWT({ client_id: subject, scope, roles })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime(`${LIFETIME_SECONDS}s`)
      .setJti(randomUUID())
    return { access_token: await token.sign(privateKey), token_type: 'Bearer', expires_in: LIFETIME_SECONDS, scope }
  }
}

export interface SigningKey {
  kid: string
  privateKey: webcrypto.CryptoKey
  /** The public key in the JWKS. */
  publicJwk: JWK
  /** Derives another secret key of 32 bytes for a purpose. */
  derive(purpose: string): Uint8Array
}

/** A key of an elliptic curve. */
type EcKey = JWK & Required<Pick<JWK, 'kty' | 'crv' | 'x' | 'y'>>

/** Returns the configured key, or one that is created once for all processes on the database. */
export async function signingKey(db: Connection, configured: string | undefined): Promise<SigningKey> {
  const text = configured ?? (await sharedSetting(db, 'signing-key', createKey))
  const jwk: EcKey = JSON.parse(text)
  const { kty, crv, x, y } = jwk
  // The operator's own name of the key stays: other services publish and look up the key by it.
  const kid = jwk.kid || (await calculateJwkThumbprint({ kty, crv, x, y }))
  const publicJwk: JWK = { kty, crv, x, y, alg: 'ES256', use: 'sig', kid }
  const privateKey = await importJWK(jwk, 'ES256')
  if (privateKey instanceof Uint8Array) throw new TypeError('SVC_SIGNING_KEY must be a private P-256 key')
  const derive = (purpose: string): Uint8Array => new Uint8Array(hkdfSync('sha256', jwk.d ?? '', '', purpose, 32))
  return { kid, privateKey, publicJwk, derive }
}

async function createKey(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return JSON.stringify(await exportJWK(privateKey))
}
