import type { HttpError } from '@svc/errors'
import { decodeProtectedHeader, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import * as z from 'zod'
import { type FailureKey, failure } from '../messages/errors.ts'
import { formatMessage, message, type Params } from '../messages/messages.ts'

export interface TokenClaims {
  subject: string
  clientId: string
  scopes: readonly string[]
  /** `undefined`: the token does not mention roles. */
  roles: readonly string[] | undefined
  /** Time at which the token expires or is too old, whichever comes first. */
  endsAt: number
}

export interface VerifyRules {
  keys: JWTVerifyGetKey
  audience: string
  isIssuer(issuer: string): boolean
}

const MAX_BYTES = 8192
const MAX_TEXT = 200
const LEEWAY_SECONDS = 5
const MAX_AGE_SECONDS = 3600
const REQUIRED = ['iss', 'aud', 'exp', 'iat', 'sub', 'jti', 'client_id']
const OPTIONS = {
  algorithms: ['ES256', 'EdDSA', 'RS256'],
  requiredClaims: REQUIRED,
  typ: 'at+jwt',
  clockTolerance: LEEWAY_SECONDS,
  maxTokenAge: MAX_AGE_SECONDS,
}

const claim = z
  .string()
  .min(1)
  .max(MAX_TEXT)
  .regex(/^\P{Cc}*$/u)

// jose has checked the rest of them. Scopes: RFC 9068 §2.2.3, RFC 6749 §3.3.
const CLAIMS = z.object({
  iss: claim,
  jti: claim,
  sub: claim,
  client_id: claim,
  scope: z.string().default(''),
  roles: z.array(z.string()).optional(),
  exp: z.number(),
  iat: z.number(),
})

/**
 * Verifies an access token (RFC 9068 §4) and the types of its claims. Rejects with a 401 that names
 * the check that failed; claims are only checked, and only mentioned, once the signature is valid.
 * Rejects with a 503 if the keys of an external issuer cannot be fetched.
 */
export async function verifyToken(token: string, { keys, audience, isIssuer }: VerifyRules): Promise<TokenClaims> {
  const { payload } = await jwtVerify(token, keys, { ...OPTIONS, audience }).catch((error: unknown) => {
    throw toTokenError(error, token)
  })
  const { data, error } = CLAIMS.safeParse(payload)
  if (error) throw claimProblem('claim', String(error.issues[0]?.path[0]))
  const { iss, exp, iat, sub, client_id, scope, roles } = data
  if (!isIssuer(iss)) throw tokenError('issuer', { iss })
  return {
    subject: sub,
    clientId: client_id,
    scopes: scope.split(' ').filter((name) => name !== ''),
    roles,
    endsAt: (Math.min(exp, iat + MAX_AGE_SECONDS) + LEEWAY_SECONDS) * 1000,
  }
}

/**
 * Creates the 401 for a token that does not look like a JWS; `undefined` for one that may be
 * verified. The error that jose throws, with its stack, costs more than the 401.
 */
export function rejectForm(token: string): HttpError | undefined {
  if (token.length > MAX_BYTES) return tokenError('malformed', { length: token.length })
  const parts = token.split('.', 4)
  const header = Buffer.from(parts[0] ?? '', 'base64url').toString('latin1')
  const isJws = parts.length === 3 && header.trimStart().startsWith('{')
  return isJws ? undefined : (noJws ??= tokenError('malformed', { detail: 'no JWS in compact form' }))
}

// Created once: a broken client causes many.
let noJws: HttpError | undefined

function toTokenError(error: unknown, token: string): HttpError {
  if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) return claimError(error)
  if (error instanceof errors.JOSEAlgNotAllowed) return tokenError('algorithm', headerFacts(token))
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return tokenError('key', headerFacts(token))
  if (error instanceof errors.JWSSignatureVerificationFailed) return tokenError('signature', headerFacts(token))
  const isAboutKeys = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid
  // The URL of the keys responded with an error or without JSON, if the code is that of all errors.
  if (error instanceof errors.JOSEError && !isAboutKeys && error.code !== errors.JOSEError.code)
    return tokenError('malformed', { detail: error.message })
  // Not the token's fault: the keys could not be fetched.
  return failure('SERVICE_UNAVAILABLE', undefined, { retryAfter: 5, cause: error })
}

function claimError({ claim, reason, message, payload }: errors.JWTExpired | errors.JWTClaimValidationFailed) {
  if (reason === 'missing') return claimProblem('missing', claim)
  if (reason === 'invalid') return claimProblem('claim', claim)
  return tokenError(checkFor(claim, message), {
    detail: message,
    ...(claim !== 'typ' && { [claim]: shorten(payload[claim]) }),
  })
}

function checkFor(claim: string, message: string): TokenCheck {
  if (claim === 'aud') return 'audience'
  if (claim === 'typ') return 'type'
  if (claim === 'exp') return 'expired'
  if (claim === 'iat' && message.includes('too far')) return 'age'
  return 'future'
}

function headerFacts(token: string): TokenFacts {
  try {
    const { alg, kid } = decodeProtectedHeader(token)
    return { alg: shorten(alg), kid: shorten(kid) }
  } catch {
    return {}
  }
}

function shorten(value: unknown): unknown {
  return typeof value === 'number' ? value : JSON.stringify(value)?.slice(0, MAX_TEXT)
}

export type TokenCheck = FailureKey extends infer K ? (K extends `INVALID_TOKEN.${infer Check}` ? Check : never) : never

/** Facts about a rejected token for the log; never the token. */
export type TokenFacts = Readonly<Record<string, unknown>>

const FACTS = Symbol('facts')

/** Returns the facts for the log about a token that was rejected; `undefined` for other errors. */
export function rejectionFacts(error: unknown): TokenFacts | undefined {
  return (error as { [FACTS]?: TokenFacts } | undefined)?.[FACTS]
}

// `claim` is our own name, not client input.
function claimProblem(check: 'missing' | 'claim', claim: string): HttpError {
  return tokenError(check, { claim }, { claim })
}

/**
 * Creates the 401 for a token that failed a check. In its header the description is in English:
 * every character of it fits there (RFC 6750 §3).
 */
export function tokenError(check: TokenCheck, facts: TokenFacts = {}, params?: Params): HttpError {
  const key = `INVALID_TOKEN.${check}` as const
  const description = formatMessage(message(key, params), 'en')
  const challenge = `Bearer realm="svc", error="invalid_token", error_description="${description}"`
  const error = failure(key, params, { headers: { 'WWW-Authenticate': challenge } })
  return Object.assign(error, { [FACTS]: { check, ...facts } })
}
