import { parseHttpDate } from '../../internal/date.ts'
import { type ConditionalHeaders, toConditionalHeaders } from './conditional-headers.ts'
import { versionPart } from './etag.ts'
import type { HeadersLike } from './header-source.ts'
import { isRead } from './is-read.ts'
import { toMilliseconds } from './milliseconds.ts'

export type { ConditionalHeaders } from './conditional-headers.ts'

import { isWildcard, listsTag, parseEntityTag, someTag } from './parse-etags.ts'

/** The current state of a resource. `undefined` in its place: there is no current representation. */
export interface ResourceState {
  /** Entity tag of the representation that would be sent; for a change it holds with the mark of any coding too. */
  readonly etag?: string | undefined
  /**
   * The version behind the tags that this service issues, see `versionTag`. With it a method that changes something
   * compares versions: a tag got with HAL, or with gzip, holds for a JSON PATCH.
   */
  readonly version?: string | number | bigint | undefined
  /** Time of the last change: a `Date`, or milliseconds since 1970. */
  readonly lastModified?: Date | number | undefined
}

/** What the conditions of a request may ask for. */
export interface PreconditionOptions {
  /** Whether the resource answers ranges: without it `Range` and `If-Range` are ignored. @defaultValue false */
  ranges?: boolean
  /** The time of the request in milliseconds, for `If-Range`. @defaultValue Date.now() */
  now?: number
}

/**
 * What is to be done. `perform`: go on. `not-modified`: 304. `failed`: 412. `malformed`: 400. `partial`: 206,
 * `full`: 200 although a range was asked for.
 */
export type PreconditionResult = 'perform' | 'not-modified' | 'failed' | 'malformed' | 'partial' | 'full'

/**
 * Evaluates the preconditions of a request in the order of RFC 9110 13.2.2. Call it when the request has passed all
 * other checks, and only where the answer would be 2xx: a missing resource is 404 whatever the conditions say.
 */
export function evaluatePreconditions(
  method: string,
  headers: ConditionalHeaders | HeadersLike,
  state: ResourceState | undefined,
  options?: PreconditionOptions,
): PreconditionResult {
  const fields = toConditionalHeaders(headers)
  const reads = isRead(method)
  if (!reads && (method === 'OPTIONS' || method === 'CONNECT' || method === 'TRACE')) return 'perform'
  const ifMatch = fields['if-match']
  const ifNoneMatch = fields['if-none-match']

  if (ifMatch !== undefined) {
    if (!matchesStrongly(ifMatch, state, reads)) return 'failed'
  } else if (isModifiedSince(fields['if-unmodified-since'], state)) {
    return 'failed'
  }
  if (ifNoneMatch !== undefined) {
    const matches = matchesWeakly(ifNoneMatch, state, reads)
    if (matches === undefined && !reads) return 'malformed'
    if (matches) return reads ? 'not-modified' : 'failed'
  } else if (method === 'GET' || method === 'HEAD') {
    if (isModifiedSince(fields['if-modified-since'], state) === false) return 'not-modified'
  }
  if (options?.ranges && method === 'GET' && fields.range !== undefined && fields['if-range'] !== undefined)
    return holdsRange(fields['if-range'], state, options.now) ? 'partial' : 'full'
  return 'perform'
}

/** `If-Match`: strong comparison; a malformed field matches nothing (RFC 9110 13.1.1). */
function matchesStrongly(field: string, state: ResourceState | undefined, isRead: boolean): boolean {
  if (state === undefined) return false
  if (isWildcard(field)) return true
  const { etag, version } = state
  if (etag !== undefined && field === etag) return !etag.startsWith('W/')
  const strong = etag?.startsWith('W/') ? undefined : etag
  const part = version === undefined || isRead ? undefined : versionPart(version)
  return someTag(field, (start, end, weak) => !weak && isTag(field, start, end, strong, part, isRead)) === true
}

/** `If-None-Match`: weak comparison. `undefined` when the field is malformed (RFC 9110 13.1.2). */
function matchesWeakly(field: string, state: ResourceState | undefined, isRead: boolean): boolean | undefined {
  const etag = state?.etag
  if (etag !== undefined && isSameTag(field, etag)) return true
  if (isWildcard(field)) return state !== undefined
  const strong = etag?.startsWith('W/') ? etag.slice(2) : etag
  if (isRead) return strong !== undefined && listsTag(field, strong)
  const part = state?.version === undefined ? undefined : versionPart(state.version)
  return someTag(field, (start, end) => isTag(field, start, end, strong, part, isRead))
}

const CODED = /^\.(?:br|zstd|gzip|deflate)$/

/** Whether the tag at this place is the given one, or was made of the given version, whatever variant and coding. */
function isTag(
  field: string,
  start: number,
  end: number,
  etag: string | undefined,
  version: string | undefined,
  isRead: boolean,
): boolean {
  if (etag !== undefined && field.startsWith(etag.slice(0, -1), start - 1)) {
    const rest = field.slice(start + etag.length - 2, end)
    // A change is made on what was read, whatever coding it came in.
    if (rest === '' ? end - start === etag.length - 2 : !isRead && CODED.test(rest)) return true
  }
  if (version === undefined || !field.startsWith(version, start)) return false
  const next = start + version.length
  return next === end || (next < end && field.charAt(next) === '.')
}

/** Whether a field is one tag alone, equal by weak comparison: what nearly every client sends. */
function isSameTag(field: string, etag: string): boolean {
  if (field.length === etag.length) return field === etag
  const [short, long] = field.length < etag.length ? [field, etag] : [etag, field]
  return long.length === short.length + 2 && long.startsWith('W/') && long.endsWith(short)
}

/**
 * `undefined` when the field says nothing: absent, no date, or nothing to compare it with (RFC 9110 13.1.3, 13.1.4).
 */
function isModifiedSince(field: string | undefined, state: ResourceState | undefined): boolean | undefined {
  if (field === undefined || state?.lastModified === undefined) return undefined
  const since = parseHttpDate(field)
  return since === undefined ? undefined : wholeSeconds(toMilliseconds(state.lastModified)) > since
}

/** `If-Range`: a strong tag that is the same, or exactly the date of the last change (RFC 9110 13.1.5). */
function holdsRange(field: string, state: ResourceState | undefined, now = Date.now()): boolean {
  const tag = parseEntityTag(field)
  if (tag) return !tag.weak && `"${tag.opaque}"` === state?.etag
  const date = parseHttpDate(field)
  if (date === undefined || state?.lastModified === undefined) return false
  // In the second of a change another one may follow, and have the same date (RFC 9110 8.8.2.2).
  return wholeSeconds(toMilliseconds(state.lastModified)) === date && date + 1000 <= now
}

/** An HTTP-date has no fractions: what is newer by less than a second is not newer. */
function wholeSeconds(ms: number): number {
  return ms - (ms % 1000)
}
