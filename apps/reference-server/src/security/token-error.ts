import type { HttpError } from '@svc/errors'
import { type FailureKey, failure } from '../messages/errors.ts'
import { formatMessage, type Message, message } from '../messages/messages.ts'

const KEYS = {
  malformed: 'INVALID_TOKEN.malformed',
  algorithm: 'INVALID_TOKEN.algorithm',
  key: 'INVALID_TOKEN.key',
  signature: 'INVALID_TOKEN.signature',
  type: 'INVALID_TOKEN.type',
  issuer: 'INVALID_TOKEN.issuer',
  audience: 'INVALID_TOKEN.audience',
  expired: 'INVALID_TOKEN.expired',
  age: 'INVALID_TOKEN.age',
  future: 'INVALID_TOKEN.future',
  user: 'INVALID_TOKEN.user',
} as const satisfies Readonly<Record<string, FailureKey>>

/** The check that a token failed. */
export type TokenCheck = keyof typeof KEYS | 'missing' | 'claim'

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
export function tokenError(check: keyof typeof KEYS, facts: TokenFacts = {}): HttpError {
  return rejection(message(KEYS[check]), { check, ...facts })
}

/** Creates the 401 for a token that lacks a claim. `claim` is a name of ours, not one that a client sent. */
export function missingClaim(claim: string): HttpError {
  return rejection(message('INVALID_TOKEN.missing', { claim }), { check: 'missing', claim })
}

/** Creates the 401 for a token with a claim of the wrong type. `claim` is a name of ours as well. */
export function wrongClaim(claim: string): HttpError {
  return rejection(message('INVALID_TOKEN.claim', { claim }), { check: 'claim', claim })
}

/** The facts for the log about a token that was rejected; `undefined` for every other error. */
export function rejectionFacts(error: unknown): TokenFacts | undefined {
  return error instanceof Error && error.cause instanceof TokenRejection ? error.cause.facts : undefined
}

// In the header, the description is in English: every character of it fits there (RFC 6750 §3).
function rejection(said: Message & { key: FailureKey }, facts: { check: TokenCheck } & TokenFacts): HttpError {
  const description = formatMessage(said, 'en')
  const challenge = `Bearer realm="svc", error="invalid_token", error_description="${description}"`
  return failure(said.key, said.params, {
    headers: { 'WWW-Authenticate': challenge },
    cause: new TokenRejection(description, facts),
  })
}
