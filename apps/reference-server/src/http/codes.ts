import { type HttpError, isHttpError } from '@svc/errors'
import type { IdempotencyErrorCode } from '@svc/idempotency'
import type { NegotiateErrorCode } from '@svc/negotiate'
import type { RateLimitErrorCode } from '@svc/ratelimit'
import type { VersioningErrorCode } from '@svc/versioning'
import { isPassing } from '../database/violation.ts'
import { type FailureKey, failure } from '../messages/errors.ts'
import { durationMessage, type Message, message, type Params } from '../messages/messages.ts'

type PackageCode = IdempotencyErrorCode | NegotiateErrorCode | RateLimitErrorCode | VersioningErrorCode

/** Message of a package's error: with its `params`, or built from them. */
type Translation = FailureKey | ((params: Params) => { key: FailureKey; params: Params })

/** Errors of the packages by the names and messages that this service has for them. */
const TRANSLATIONS: Readonly<Record<PackageCode, Translation>> = {
  ERR_IDEMPOTENCY_BODY_INCOMPLETE: 'BODY_INCOMPLETE',
  ERR_IDEMPOTENCY_BODY_TOO_LARGE: 'BODY_TOO_LARGE.limit',
  ERR_IDEMPOTENCY_BODY_CONSUMED: 'INTERNAL_ERROR',
  ERR_IDEMPOTENCY_CALLBACK_FAILED: 'INTERNAL_ERROR',
  ERR_IDEMPOTENCY_IN_PROGRESS: 'IDEMPOTENCY_IN_PROGRESS',
  ERR_IDEMPOTENCY_KEY_INVALID: 'IDEMPOTENCY_KEY_INVALID',
  ERR_IDEMPOTENCY_KEY_MISSING: 'IDEMPOTENCY_KEY_MISSING',
  ERR_IDEMPOTENCY_KEY_REUSED: 'IDEMPOTENCY_KEY_REUSED',
  ERR_IDEMPOTENCY_LEASE_LOST: 'IDEMPOTENCY_LEASE_LOST',
  ERR_IDEMPOTENCY_OUTCOME_UNKNOWN: 'IDEMPOTENCY_OUTCOME_UNKNOWN',
  ERR_IDEMPOTENCY_RESPONSE_TOO_LARGE: 'IDEMPOTENCY_RESPONSE_TOO_LARGE',
  ERR_IDEMPOTENCY_STORE_DOWN: 'SERVICE_UNAVAILABLE',
  ERR_IDEMPOTENCY_USER_UNKNOWN: 'INTERNAL_ERROR',
  ERR_NEGOTIATE_BODY_CORRUPT: 'MALFORMED_BODY.encoding',
  ERR_NEGOTIATE_BODY_FAILED: 'INTERNAL_ERROR',
  ERR_NEGOTIATE_BODY_TOO_LARGE: 'BODY_TOO_LARGE.limit',
  ERR_NEGOTIATE_NOT_ACCEPTABLE: 'NOT_ACCEPTABLE.available',
  ERR_NEGOTIATE_PARTIAL_PUT: 'PARTIAL_PUT',
  ERR_NEGOTIATE_PRECONDITION_FAILED: 'PRECONDITION_FAILED.header',
  ERR_NEGOTIATE_PRECONDITION_MALFORMED: 'PRECONDITION_MALFORMED',
  ERR_NEGOTIATE_PRECONDITION_REQUIRED: 'PRECONDITION_REQUIRED',
  ERR_NEGOTIATE_STATE_FAILED: 'INTERNAL_ERROR',
  ERR_NEGOTIATE_CONTENT_TYPE_REQUIRED: 'TYPE_REQUIRED',
  ERR_NEGOTIATE_ENCODING_UNSUPPORTED: 'UNSUPPORTED_ENCODING.supported',
  ERR_NEGOTIATE_CONTENT_TYPE_UNSUPPORTED: typeUnsupported,
  ERR_RATELIMIT_CALLBACK_FAILED: 'INTERNAL_ERROR',
  ERR_RATELIMIT_DENIED: 'FORBIDDEN.client',
  ERR_RATELIMIT_EXCEEDED: rateLimited,
  ERR_RATELIMIT_STORE_DOWN: 'SERVICE_UNAVAILABLE',
  ERR_VERSIONING_BODY_INVALID: 'VERSION_BODY',
  ERR_VERSIONING_BROWNOUT: 'VERSION_BROWNOUT.until',
  ERR_VERSIONING_CALLBACK_FAILED: 'INTERNAL_ERROR',
  ERR_VERSIONING_CONFLICT: (params) => ({ key: 'VERSION_CONFLICT.sources', params: withSources(params) }),
  ERR_VERSIONING_MALFORMED: (params) => ({ key: 'VERSION_MALFORMED.sources', params: withSources(params) }),
  ERR_VERSIONING_NOT_MOUNTED: 'INTERNAL_ERROR',
  ERR_VERSIONING_REQUIRED: 'VERSION_REQUIRED.supported',
  ERR_VERSIONING_RETIRED: (params) => ({
    key: params['since'] === undefined ? 'VERSION_RETIRED.supported' : 'VERSION_RETIRED.since',
    params,
  }),
  ERR_VERSIONING_TRANSFORM_FAILED: 'INTERNAL_ERROR',
  ERR_VERSIONING_UNSUPPORTED: (params) => ({ key: 'VERSION_UNSUPPORTED.sources', params: withSources(params) }),
}

/** Returns an error of a package by the name and the message that this service has for it. */
export function toFailure(error: unknown): unknown {
  const { status, code, headers, params, type, extensions, cause }: Partial<HttpError> = isHttpError(error) ? error : {}
  const said = code === undefined ? undefined : translate(code, Object(params))
  if (!said || status === undefined) return error
  // Clients learn only the status of an internal error.
  const isOurs = said.key === 'INTERNAL_ERROR'
  const init = {
    cause: isOurs ? error : cause,
    ...(headers && { headers }),
    ...(type !== undefined && { type }),
    ...(extensions && { extensions }),
  }
  return failure(said.key, said.params, init, status)
}

/** Returns the 503 for a temporary error of the database; any other error is returned as is. */
export function toUnavailable(error: unknown): unknown {
  if (isHttpError(error) || !isPassing(error)) return error
  return failure('SERVICE_UNAVAILABLE', undefined, { retryAfter: 5, cause: error })
}

/** The message of an error of a package; `undefined` for a code that is of no package. */
function translate(code: string, params: Params): { key: FailureKey; params: Params } | undefined {
  if (!isPackageCode(code)) return undefined
  const translation = TRANSLATIONS[code]
  return typeof translation === 'string' ? { key: translation, params } : translation(params)
}

function isPackageCode(code: string): code is PackageCode {
  return Object.hasOwn(TRANSLATIONS, code)
}

function typeUnsupported(params: Params): { key: FailureKey; params: Params } {
  if (params['charset'] !== undefined) return { key: 'UNSUPPORTED_MEDIA_TYPE.withCharset', params }
  if (params['type'] === undefined) return { key: 'UNSUPPORTED_MEDIA_TYPE.withoutType', params }
  return { key: 'UNSUPPORTED_MEDIA_TYPE.supported', params }
}

function rateLimited({ algorithm, limit, windowMs, retrySeconds }: Params): { key: FailureKey; params: Params } {
  const wait = durationMessage(Number(retrySeconds) * 1000)
  if (algorithm === 'concurrency') return { key: 'RATE_LIMITED.concurrency', params: { count: limit, wait } }
  const window = durationMessage(Number(windowMs))
  return { key: 'RATE_LIMITED.quota', params: { count: limit, window, wait } }
}

function withSources({ sources, ...params }: Params): Params {
  const named = (Array.isArray(sources) ? sources : []).map((source): string | Message => {
    if (source === 'path') return message('source.path')
    return source === 'query' ? message('source.query') : String(source)
  })
  return { ...params, sources: named }
}
