import { type ConditionalHeaders, isConditional, isReadMethod } from './conditional-headers.ts'
import { evaluatePreconditions, type PreconditionResult } from './evaluate-preconditions.ts'
import type { NegotiationResult } from './offer-match.ts'
import { type ETagStem, findHeldEncoding, formatTag } from './validators.ts'

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
  const tag = stem && formatTag(stem, encoding)
  // Most clients repeat the ETag that they got, as the only condition.
  const isAlone = headers['if-match'] === undefined && headers['if-unmodified-since'] === undefined
  if (listed === tag && tag !== undefined && isAlone) return { outcome: 'not-modified', etag: tag }
  const etag = stem && tag && findListedTag(stem, tag, listed, encodings)
  const outcome = evaluatePreconditions(method, headers, { etag, lastModified })
  // The ETag of a stream is weak, which is not known before the stream exists: repeat that of the
  // client.
  const isWeak = etag !== undefined && listed?.includes('W/') && listed.includes(`W/${etag}`)
  return { outcome, etag: isWeak ? `W/${etag}` : etag }
}

/** Returns the ETag of the encoding that the client has, else of the one that it would get. */
function findListedTag(stem: ETagStem, tag: string, listed: string | undefined, encodings: NegotiationResult): string {
  if (listed === undefined || listed === tag) return tag
  const held = findHeldEncoding(listed, stem, encodings)
  return held === undefined ? tag : formatTag(stem, held)
}
