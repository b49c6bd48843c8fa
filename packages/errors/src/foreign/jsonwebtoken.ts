import type { RecognizedError } from '../classification.ts'
import { INVALID_TOKEN } from './jose.ts'

// Mistakes of the caller of `verify`, or unavailable keys; the token may be valid.
const CALLER_MISTAKES =
  /^(clockTimestamp|nonce must|allowInvalidAsymmetricKeyTypes|verify must|error in secret|secret or public key|please specify|secretOrPublicKey is not|"maxAge")/

const NAMES = new Set<unknown>(['JsonWebTokenError', 'TokenExpiredError', 'NotBeforeError'])

/**
 * Recognizes errors of jsonwebtoken, and of express-jwt, which have a status but no challenge (RFC
 * 6750 §3).
 */
export function fromJsonwebtoken(error: object): RecognizedError | undefined {
  const { name, code, inner } = error as Partial<Record<string, unknown>>
  if (NAMES.has(name)) return isCallerMistake(error) ? undefined : INVALID_TOKEN
  if (name !== 'UnauthorizedError' || typeof code !== 'string' || typeof inner !== 'object') return undefined
  if (isCallerMistake(inner)) return { status: 500 }
  if (code === 'invalid_token' || code === 'revoked_token') return INVALID_TOKEN
  // Without credentials a challenge has no error code (RFC 6750 §3.1).
  return code.startsWith('credentials_') ? { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } } : undefined
}

function isCallerMistake(error: object | null): boolean {
  const { name, message } = (error ?? {}) as Partial<Record<string, unknown>>
  return NAMES.has(name) && CALLER_MISTAKES.test(String(message))
}
