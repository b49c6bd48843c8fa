import type { RecognizedError } from '../classification.ts'
import { RETRY_LATER } from './network.ts'

const JOSE_CODE = /^ERR_(JOSE|JWT|JWS|JWE|JWK|JWKS)_/

// The keys of the issuer are unavailable; the token may be valid.
const KEY_ERRORS = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'])

/** An invalid token (RFC 6750 §3.1). */
export const INVALID_TOKEN: RecognizedError = {
  status: 401,
  code: 'INVALID_TOKEN',
  message: 'The token is not valid.',
  headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
}

/**
 * Recognizes errors of jose by their codes: an invalid token is 401, unavailable keys are 503. A
 * token with another algorithm than the key is a plain TypeError, to which the caller of jose can
 * add the code `ERR_JWT_INVALID`.
 */
export function fromJose(error: object): RecognizedError | undefined {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string' || !JOSE_CODE.test(code)) return undefined
  if (KEY_ERRORS.has(code)) return RETRY_LATER
  return INVALID_TOKEN
}
