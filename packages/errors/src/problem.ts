import { randomUUID } from 'node:crypto'
import { type Classification, classify } from './classify.ts'
import { type ErrorEntry, withoutParams } from './issues.ts'
import type { Occurrence } from './record.ts'
import { wordsOf } from './status.ts'
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
  problemBase?: string
  /** Names this occurrence: a URI. */
  instance?: string
}

/** The problem document of anything that was thrown. Never throws, and tells nothing that the error does not expose. */
export function toProblem(error: unknown, occurrence: ProblemOccurrence): Problem {
  return problemOf(classify(error), occurrence)
}

/** The problem document of an error that has been classified. */
export function problemOf(facts: Classification, occurrence: ProblemOccurrence): Problem {
  const { path, now, problemBase, instance } = occurrence
  const problem: Problem = {
    type: facts.type ?? (problemBase === undefined ? 'about:blank' : typeOf(problemBase, facts.code)),
    title: facts.title ?? wordsOf(facts.status).reason,
    status: facts.status,
    detail: facts.message,
    ...(instance !== undefined && { instance }),
    code: facts.code,
    timestamp: formatTimestamp(now ?? Date.now()),
    path,
  }
  if (facts.errors)
    problem.errors = withoutParams(facts.errors).map((entry) => ({ ...entry, pointer: fragmentOf(entry.pointer) }))
  for (const [name, value] of Object.entries(facts.ext ?? {})) if (!Object.hasOwn(problem, name)) problem[name] = value
  return problem
}

/** RFC 9457 3 writes a pointer as a URI fragment (`#/age`), in the encoding of RFC 6901 6. */
function fragmentOf(pointer: string): string {
  return `#${encodeURI(pointer.toWellFormed()).replaceAll('#', '%23')}`
}

/** `https://api.example/problems` and `OUT_OF_CREDIT` make `https://api.example/problems/out-of-credit`. */
function typeOf(base: string, code: string): string {
  const slash = base.endsWith('/') || base.endsWith(':') ? '' : '/'
  return `${base}${slash}${code.toLowerCase().replaceAll('_', '-')}`
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Names an occurrence: by its correlation identifier if that is a UUID (RFC 9562 4), else by a new one. */
export function instanceOf(correlationId: string | undefined): string {
  const known = correlationId !== undefined && UUID.test(correlationId)
  return `urn:uuid:${known ? correlationId.toLowerCase() : randomUUID()}`
}
