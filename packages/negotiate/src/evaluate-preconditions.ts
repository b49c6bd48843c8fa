import { parseHttpDate } from '../../internal/date.ts'
import {
  type ConditionalHeaders,
  ENCODING_SUFFIX,
  ignoresConditions,
  isReadMethod,
  toConditionalHeaders,
} from './conditional-headers.ts'
import type { FetchHeaders } from './header-source.ts'
import { isWildcard, listsTag, parseETag, someTag } from './parse-etags.ts'
import { toMilliseconds, toVersionPart } from './validators.ts'

export type { ConditionalHeaders } from './conditional-headers.ts'

/**
 * The current state of a resource. If it has no current representation, pass `undefined` instead.
 */
export interface ResourceState {
  /**
   * The ETag of the representation that would be sent. A change may also name it with the suffix of
   * any encoding, but not with that of an API version: pass `version` for those.
   */
  readonly etag?: string | undefined
  /**
   * The version behind the ETags of this resource, see `etagFromVersion`. With it, changes compare
   * versions: an ETag of the HAL representation, or of a gzipped one, is valid for a JSON PATCH.
   */
  readonly version?: string | number | bigint | undefined
  /** Time of the last change: a `Date`, or milliseconds since 1970. */
  readonly lastModified?: Date | number | undefined
}

/** Options for `evaluatePreconditions()`. */
export interface EvaluatePreconditionsOptions {
  /**
   * Whether the resource supports ranges; otherwise `Range` and `If-Range` are ignored.
   * @defaultValue false
   */
  ranges?: boolean
  /**
   * The time of the request in milliseconds since 1970, for `If-Range`.
   * @defaultValue Date.now()
   */
  now?: number
}

/**
 * Result of `evaluatePreconditions()`. `perform`: continue. `not-modified`: 304. `failed`: 412.
 * `malformed`: 400. `partial`: 206. `full`: 200 instead of the requested range.
 */
export type PreconditionResult = 'perform' | 'not-modified' | 'failed' | 'malformed' | 'partial' | 'full'

/**
 * Evaluates the preconditions of a request in the order of RFC 9110 §13.2.2. Call it after all
 * other checks, and only if the response would be 2xx: a missing resource is 404, regardless of
 * conditions.
 */
export function evaluatePreconditions(
  method: string,
  headers: ConditionalHeaders | FetchHeaders,
  state: ResourceState | undefined,
  options?: EvaluatePreconditionsOptions,
): PreconditionResult {
  const conditions = toConditionalHeaders(headers)
  const isRead = isReadMethod(method)
  if (!isRead && ignoresConditions(method)) return 'perform'
  const ifMatch = conditions['if-match']
  const ifNoneMatch = conditions['if-none-match']

  if (ifMatch !== undefined) {
    if (!matchesStrongly(ifMatch, state, isRead)) return 'failed'
  } else if (isModifiedSince(conditions['if-unmodified-since'], state)) {
    return 'failed'
  }
  if (ifNoneMatch !== undefined) {
    const matches = matchesWeakly(ifNoneMatch, state, isRead)
    if (matches === undefined && !isRead) return 'malformed'
    if (matches) return isRead ? 'not-modified' : 'failed'
  } else if (method === 'GET' || method === 'HEAD') {
    if (isModifiedSince(conditions['if-modified-since'], state) === false) return 'not-modified'
  }
  if (options?.ranges && method === 'GET' && conditions.range !== undefined && conditions['if-range'] !== undefined)
    return matchesIfRange(conditions['if-range'], state, options.now) ? 'partial' : 'full'
  return 'perform'
}

/** `If-Match`: strong comparison; a malformed header matches nothing (RFC 9110 §13.1.1). */
function matchesStrongly(header: string, state: ResourceState | undefined, isRead: boolean): boolean {
  if (state === undefined) return false
  if (isWildcard(header)) return true
  const { etag, version } = state
  if (etag !== undefined && header === etag) return etag.startsWith('"')
  const strong = etag?.startsWith('W/') ? undefined : etag
  const part = version === undefined || isRead ? undefined : toVersionPart(version)
  return someTag(header, (start, end, weak) => !weak && isTag(header, start, end, strong, part, isRead)) === true
}

/**
 * `If-None-Match`: weak comparison. Returns `undefined` for a malformed header (RFC 9110 §13.1.2).
 */
function matchesWeakly(header: string, state: ResourceState | undefined, isRead: boolean): boolean | undefined {
  const etag = state?.etag
  // Most clients send the single ETag that they got.
  if (etag !== undefined && (header === etag || differsInStrength(header, etag))) return true
  if (isWildcard(header)) return state !== undefined
  const strong = etag?.startsWith('W/') ? etag.slice(2) : etag
  if (isRead) return strong !== undefined && listsTag(header, strong)
  const part = state?.version === undefined ? undefined : toVersionPart(state.version)
  return someTag(header, (start, end) => isTag(header, start, end, strong, part, isRead))
}

const IS_ENCODING = new RegExp(`^${ENCODING_SUFFIX}$`)

/**
 * Whether the ETag at this offset is the expected one, or belongs to the version in any variant and
 * encoding.
 */
function isTag(
  header: string,
  start: number,
  end: number,
  etag: string | undefined,
  version: string | undefined,
  isRead: boolean,
): boolean {
  if (etag !== undefined && header.startsWith(etag.slice(0, -1), start - 1)) {
    const rest = header.slice(start + etag.length - 2, end)
    // A change is based on the content that was read, in any encoding.
    if (rest === '' ? end - start === etag.length - 2 : !isRead && IS_ENCODING.test(rest)) return true
  }
  if (version === undefined || !header.startsWith(version, start)) return false
  const next = start + version.length
  return next === end || (next < end && header.charAt(next) === '.')
}

/** Whether one of two ETags is the other one with `W/`. */
function differsInStrength(header: string, etag: string): boolean {
  const [short, long] = header.length < etag.length ? [header, etag] : [etag, header]
  return long.length === short.length + 2 && long.startsWith('W/') && long.endsWith(short)
}

/**
 * Returns `undefined` if the header has no effect: it is absent, invalid, or there is no date to
 * compare (RFC 9110 §13.1.3, §13.1.4).
 */
export function isModifiedSince(header: string | undefined, state: ResourceState | undefined): boolean | undefined {
  if (header === undefined || state?.lastModified === undefined) return undefined
  const since = parseHttpDate(header)
  return since === undefined ? undefined : truncateToSeconds(toMilliseconds(state.lastModified)) > since
}

/** `If-Range`: the same strong ETag, or exactly the date of the last change (RFC 9110 §13.1.5). */
function matchesIfRange(header: string, state: ResourceState | undefined, now = Date.now()): boolean {
  const tag = parseETag(header)
  if (tag) return !tag.weak && `"${tag.opaque}"` === state?.etag
  const date = parseHttpDate(header)
  if (date === undefined || state?.lastModified === undefined) return false
  // Within the second of a change another one can follow with the same date (RFC 9110 §8.8.2.2).
  return truncateToSeconds(toMilliseconds(state.lastModified)) === date && date + 1000 <= now
}

/**
 * Drops the milliseconds: an HTTP-date has none, so a change within the same second is not newer.
 */
function truncateToSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}
