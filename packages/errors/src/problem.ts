import { type Classification, classify } from './classify.ts'
import { type ErrorEntry, withoutParams } from './issues.ts'
import type { Occurrence } from './record.ts'
import { getStatusDefaults } from './status.ts'
import { formatTimestamp } from './timestamp.ts'

/** Problem details (RFC 9457): the members of the standard, ours, and those of the problem type. */
export interface Problem {
  /** What kind of problem this is: an absolute URI, or `about:blank`. */
  type: string
  /** What kind of problem this is, for people: the same for every occurrence. */
  title: string
  /** The HTTP status of the answer. */
  status: number
  /** One sentence about this occurrence, safe to show. */
  detail: string
  /** Names this occurrence. */
  instance?: string
  /** Stable name of the cause in UPPER_SNAKE case. */
  code: string
  /** When it happened, in UTC (RFC 3339). */
  timestamp: string
  /** Path of the request, without the query. */
  path: string
  /** What is wrong with single values of the request; `pointer` is a URI fragment here (`#/age`). */
  errors?: readonly ErrorEntry[]
  [extension: string]: unknown
}

/** What `toProblem` must know of the request beside the error. */
export interface ProblemOccurrence extends Omit<Occurrence, 'strict'> {
  /** What problem types start with: `https://api.example/problems`. Without it the type is `about:blank`. */
  problemBaseUrl?: string
  /** Names this occurrence: a URI. */
  instance?: string
}

/** The problem document of anything that was thrown. Never throws, and tells nothing that the error does not expose. */
export function toProblem(error: unknown, occurrence: ProblemOccurrence): Problem {
  return buildProblem(classify(error), occurrence)
}

/** The problem document of an error that has been classified. */
export function buildProblem(classification: Classification, occurrence: ProblemOccurrence): Problem {
  const { path, now, problemBaseUrl, instance } = occurrence
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
    problem.errors = withoutParams(classification.errors).map((entry) => ({
      ...entry,
      pointer: toFragment(entry.pointer),
    }))
  for (const [name, value] of Object.entries(classification.extensions ?? {}))
    if (!Object.hasOwn(problem, name)) problem[name] = value
  return problem
}

/** RFC 9457 3 writes a pointer as a URI fragment (`#/age`), in the encoding of RFC 6901 6. */
function toFragment(pointer: string): string {
  return `#${encodeURI(pointer.toWellFormed()).replaceAll('#', '%23')}`
}

/** `https://api.example/problems` and `OUT_OF_CREDIT` make `https://api.example/problems/out-of-credit`. */
function buildType(base: string, code: string): string {
  const slash = base.endsWith('/') || base.endsWith(':') ? '' : '/'
  return `${base}${slash}${code.toLowerCase().replaceAll('_', '-')}`
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Names an occurrence: by its correlation identifier if that is a UUID (RFC 9562 4), else by a new one. */
export function createInstance(correlationId: string | undefined): string {
  const known = correlationId !== undefined && UUID.test(correlationId)
  return `urn:uuid:${known ? correlationId.toLowerCase() : crypto.randomUUID()}`
}
