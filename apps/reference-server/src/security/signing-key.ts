import { hkdfSync, type webcrypto } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Connection } from '../database/connection.ts'
import { sharedSetting } from '../database/settings.ts'

export interface SigningKey {
  kid: string
  privateKey: webcrypto.CryptoKey
  /** What is published in the JWKS. */
  publicJwk: JWK
  /** A secret key for something else, made of this one: 32 bytes for each purpose. */
  derive(purpose: string): Uint8Array
}

/** The key of our own issuer: as configured, else made once and shared by all processes on the same database. */
export async function signingKey(db: Connection, configured: string | undefined): Promise<SigningKey> {
  const text = configured ?? (await sharedSetting(db, 'signing-key', makeKey))
  const jwk = JSON.parse(text) as JWK
  const { kty, crv, x, y } = jwk as { kty: string; crv: string; x: string; y: string }
  const publicJwk: JWK = { kty, crv, x, y, alg: 'ES256', use: 'sig' }
  // The operator's own name of the key stays: other services publish and look up the key by it.
  const kid = jwk.kid || (await calculateJwkThumbprint({ kty, crv, x, y }))
  const privateKey = await importJWK(jwk, 'ES256')
  if (privateKey instanceof Uint8Array) throw new TypeError('SVC_SIGNING_KEY must be a private P-256 key')
  const derive = (purpose: string): Uint8Array => new Uint8Array(hkdfSync('sha256', jwk.d ?? '', '', purpose, 32))
  return { kid, privateKey, publicJwk: { ...publicJwk, kid }, derive }
}

async function makeKey(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return JSON.stringify(await exportJWK(privateKey))
}
