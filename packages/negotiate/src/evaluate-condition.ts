import { type ConditionalHeaders, evaluatePreconditions, type PreconditionResult } from './evaluate-preconditions.ts'
import { isReadMethod } from './is-read-method.ts'
import type { NegotiationResult } from './offer-match.ts'
import { type ETagStem, findHeldEncoding, formatTag } from './representation-tag.ts'

/** A representation that is about to be sent in response to a read. */
export interface ConditionalRepresentation {
  readonly method: string | undefined
  readonly headers: ConditionalHeaders
  readonly status: number
  readonly stem: ETagStem | undefined
  readonly lastModified: Date | number | undefined
  readonly encodings: NegotiationResult
  /** The encoding that it would have. */
  readonly encoding: string
}

export interface ConditionResult {
  readonly outcome: PreconditionResult
  /** The ETag of the representation that the client has, or would get. */
  readonly etag: string | undefined
}

/**
 * Evaluates the conditions of a request for a representation. Returns `undefined` if there are
 * none, or they do not apply. An ETag of the client is valid with any encoding that the client
 * still accepts.
 */
export function evaluateCondition(representation: ConditionalRepresentation): ConditionResult | undefined {
  const { method = 'GET', headers, status, stem, lastModified, encodings, encoding } = representation
  // Conditions are ignored if the response is not a success anyway (RFC 9110 §13.2.1).
  if (status < 200 || status > 299 || !isReadMethod(method) || !isConditional(headers)) return undefined
  const listed = headers['if-none-match'] ?? headers['if-match']
  const held = stem && listed !== undefined ? findHeldEncoding(listed, stem, encodings) : undefined
  const etag = stem && formatTag(stem, held ?? encoding)
  const outcome = evaluatePreconditions(method, headers, { etag, lastModified })
  // The ETag of a stream is weak, which is not known before the stream exists: repeat that of the
  // client.
  return { outcome, etag: etag && listed?.includes(`W/${etag}`) ? `W/${etag}` : etag }
}

/** Whether a request has any condition. */
export function isConditional(headers: ConditionalHeaders): boolean {
  return (
    headers['if-none-match'] !== undefined ||
    headers['if-modified-since'] !== undefined ||
    headers['if-match'] !== undefined ||
    headers['if-unmodified-since'] !== undefined
  )
}
