import type { Classification } from './classification.ts'
import { classify } from './classify.ts'
import { type ErrorEntry, omitParams } from './issues.ts'
import { assertPath, type ToRecordOptions } from './record.ts'
import { getStatusDefaults } from './status.ts'
import { formatTimestamp } from './timestamp.ts'

/**
 * A problem document (RFC 9457) with the extension members of this package and of the problem type.
 */
export interface Problem {
  /** Problem type: an absolute URI, or `about:blank`. */
  type: string
  /** Human-readable name of the problem type. */
  title: string
  /** The HTTP status of the response. */
  status: number
  /** Human-readable description of this occurrence. */
  detail: string
  /** URI of this occurrence. */
  instance?: string
  /** Stable name of the cause in UPPER_SNAKE case. */
  code: string
  /** Time of the error, in UTC (RFC 3339). */
  timestamp: string
  /** Path of the request, without the query. */
  path: string
  /** The invalid values of the request. `pointer` is a URI fragment here (`#/age`). */
  errors?: readonly ErrorEntry[]
  [extension: string]: unknown
}

/** Options for `toProblem()`. */
export interface ToProblemOptions extends Omit<ToRecordOptions, 'strict'> {
  /**
   * Start of problem types, such as `https://api.example/problems`.
   * @defaultValue the type is `about:blank`
   */
  problemBaseUrl?: string
  /** URI of this occurrence. */
  instance?: string
}

/**
 * Returns the problem document for any thrown value, with only the information that the error
 * exposes. Throws a `TypeError` only if `path` is missing.
 */
export function toProblem(error: unknown, options: ToProblemOptions): Problem {
  assertPath('errors: toProblem', options)
  return buildProblem(classify(error), options)
}

/** The members of every problem document, which no extension replaces. */
export const RESERVED_MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'title',
  'status',
  'detail',
  'instance',
  'code',
  'timestamp',
  'path',
  'errors',
])

/** Returns the problem document of a classified error. */
export function buildProblem(classification: Classification, options: ToProblemOptions): Problem {
  const { path, now, problemBaseUrl, instance } = options
  const problem: Problem = {
    type:
      classification.type ??
      (problemBaseUrl === undefined ? 'about:blank' : buildType(problemBaseUrl, classification.code)),
    title: classification.title ?? getStatusDefaults(classification.status).reason,
    status: classification.status,
    detail: classification.message,
    ...(instance !== undefined && { instance }),
    code: classification.code,
    timestamp: formatTimestamp(now ?? Date.now()),
    path,
  }
  if (classification.errors)
    problem.errors = omitParams(classification.errors).map((entry) => ({
      ...entry,
      pointer: toFragment(entry.pointer),
    }))
  for (const [name, value] of Object.entries(classification.extensions ?? {}))
    if (!RESERVED_MEMBERS.has(name)) problem[name] = value
  return problem
}

/**
 * Formats a pointer as a URI fragment (`#/age`), as RFC 9457 §3 requires, in the encoding of RFC
 * 6901 §6.
 */
function toFragment(pointer: string): string {
  return `#${encodeURI(pointer.toWellFormed()).replaceAll('#', '%23')}`
}

/**
 * Builds `https://api.example/problems/out-of-credit` from `https://api.example/problems` and
 * `OUT_OF_CREDIT`.
 */
function buildType(base: string, code: string): string {
  const slash = base.endsWith('/') || base.endsWith(':') ? '' : '/'
  return `${base}${slash}${code.toLowerCase().replaceAll('_', '-')}`
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Returns the URI of an occurrence: its correlation id if that is a UUID (RFC 9562 §4), else a new
 * one.
 */
export function createInstance(correlationId: string | undefined): string {
  const isUuid = correlationId !== undefined && UUID.test(correlationId)
  return `urn:uuid:${isUuid ? correlationId.toLowerCase() : crypto.randomUUID()}`
}
