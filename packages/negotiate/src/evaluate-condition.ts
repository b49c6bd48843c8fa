import { type ConditionalHeaders, evaluatePreconditions, type PreconditionResult } from './evaluate-preconditions.ts'
import { isRead } from './is-read.ts'
import type { NegotiationResult } from './offer-match.ts'
import { codingHeld, formatTag, type Stem } from './representation-tag.ts'

/** A representation that is about to be sent in answer to a method that changes nothing. */
export interface Candidate {
  readonly method: string | undefined
  readonly headers: ConditionalHeaders
  readonly status: number
  readonly stem: Stem | undefined
  readonly lastModified: Date | number | undefined
  readonly codings: NegotiationResult
  /** The coding that it would have. */
  readonly wanted: string
}

export interface ConditionResult {
  readonly outcome: PreconditionResult
  /** The tag of the representation that the client has, or would get. */
  readonly etag: string | undefined
}

/**
 * Evaluates the conditions of a request for a representation; `undefined` when there are none, or they do not apply.
 * The client's tag holds for whatever coding it was made, as long as the client takes that coding now.
 */
export function evaluateCondition(candidate: Candidate): ConditionResult | undefined {
  const { method = 'GET', headers, status, stem, lastModified, codings, wanted } = candidate
  // Where the answer is no success anyway, conditions say nothing (RFC 9110 13.2.1).
  if (status < 200 || status > 299 || !isRead(method) || !isConditional(headers)) return undefined
  const listed = headers['if-none-match'] ?? headers['if-match']
  const held = stem && listed !== undefined ? codingHeld(listed, stem, codings) : undefined
  const etag = stem && formatTag(stem, held ?? wanted)
  const outcome = evaluatePreconditions(method, headers, { etag, lastModified })
  // The tag of a stream is weak, which is not known before the stream is made: tell what the client has.
  return { outcome, etag: etag && listed?.includes(`W/${etag}`) ? `W/${etag}` : etag }
}

/** Whether a request has any condition at all. */
export function isConditional(headers: ConditionalHeaders): boolean {
  return (
    headers['if-none-match'] !== undefined ||
    headers['if-modified-since'] !== undefined ||
    headers['if-match'] !== undefined ||
    headers['if-unmodified-since'] !== undefined
  )
}
