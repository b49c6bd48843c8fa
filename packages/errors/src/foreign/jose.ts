import type { RecognizedError } from '../classification.ts'
import { RETRY_LATER } from './network.ts'

const OF_JOSE = /^ERR_(JOSE|JWT|JWS|JWE|JWK|JWKS)_/

// The issuer's keys could not be had: the token may be good.
const ABOUT_KEYS = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'])

/** A token that is not valid (RFC 6750 §3.1). */
export const INVALID_TOKEN: RecognizedError = {
  status: 401,
  code: 'INVALID_TOKEN',
  message: 'The token is not valid.',
  headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
}

/**
 * Recognizes jose by its codes: an invalid token is 401, unavailable keys are 503. A token with
 * another algorithm than the key's is a plain TypeError, to which the caller of jose can add a
 * code: `ERR_JWT_INVALID`.
 */
export function fromJose(error: object): RecognizedError | undefined {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string' || !OF_JOSE.test(code)) return undefined
  if (ABOUT_KEYS.has(code)) return RETRY_LATER
  return INVALID_TOKEN
}
