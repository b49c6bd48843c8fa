import { type HttpError, httpError } from '@svc/errors'

/** What the sender of a token is told. Every character fits into `error_description` (RFC 6750 §3). */
const DESCRIPTIONS = {
  malformed: 'The token is not a signed JWT.',
  algorithm: 'The token is signed with an algorithm that is not accepted.',
  key: 'The token is signed with an unknown key.',
  signature: 'The signature of the token is not valid.',
  type: 'The type of the token is not at+jwt.',
  issuer: 'The token is from another issuer.',
  audience: 'The token is for another audience.',
  expired: 'The token has expired.',
  age: 'The token was issued too long ago.',
  future: 'The token is not valid yet.',
  user: 'The user of the token does not exist.',
} as const

/** The check that a token failed. */
export type TokenCheck = keyof typeof DESCRIPTIONS | 'missing' | 'claim'

/** Facts about a rejected token for the log; never the token. */
export type TokenFacts = Readonly<Record<string, unknown>>

// The `cause` of a 401.
class TokenRejection extends Error {
  readonly facts: TokenFacts

  constructor(message: string, facts: TokenFacts) {
    super(message)
    this.facts = facts
  }
}

/** Creates the 401 for a token that failed a check. */
export function tokenError(check: keyof typeof DESCRIPTIONS, facts: TokenFacts = {}): HttpError {
  return rejection(DESCRIPTIONS[check], { check, ...facts })
}

/** Creates the 401 for a token that lacks a claim. `claim` is a name of ours, not one that a client sent. */
export function missingClaim(claim: string): HttpError {
  return rejection(`The token lacks the claim ${claim}.`, { check: 'missing', claim })
}

/** Creates the 401 for a token with a claim of the wrong type. `claim` is a name of ours as well. */
export function wrongClaim(claim: string): HttpError {
  return rejection(`The claim ${claim} of the token has the wrong type.`, { check: 'claim', claim })
}

/** The facts for the log about a token that was rejected; `undefined` for every other error. */
export function rejectionFacts(error: unknown): TokenFacts | undefined {
  return error instanceof Error && error.cause instanceof TokenRejection ? error.cause.facts : undefined
}

function rejection(description: string, facts: { check: TokenCheck } & TokenFacts): HttpError {
  const challenge = `Bearer realm="svc", error="invalid_token", error_description="${description}"`
  return httpError(401, description, {
    code: 'INVALID_TOKEN',
    headers: { 'WWW-Authenticate': challenge },
    cause: new TokenRejection(description, facts),
  })
}
