import { type Classification, classify } from './classify.ts'
import { type ErrorEntry, withoutParams } from './issues.ts'
import { getStatusDefaults } from './status.ts'
import { formatTimestamp } from './timestamp.ts'

/** The Error record: the JSON of every failure. */
export interface ErrorRecord {
  /** RFC 3339, UTC, milliseconds. */
  timestamp: string
  /** The HTTP status of the answer. */
  status: number
  /** The reason phrase of the status. */
  error: string
  /** One sentence for people, safe to show. Programs decide by `code`. */
  message: string
  /** The path of the request, without its query. */
  path: string
  /** Stable name of the cause. Not there in a strict record. */
  code?: string
  /** What is wrong with single values. Not there in a strict record. */
  errors?: readonly ErrorEntry[]
}

/** What an error does not know itself. */
export interface Occurrence {
  /** Path of the request, without its query: a query may carry what must not be repeated. */
  path: string
  /** Milliseconds. @defaultValue the time now */
  now?: number
  /** Only the five members that every record has. @defaultValue false */
  strict?: boolean
}

/** The Error record of anything that was thrown. Never throws, and tells nothing that the error does not expose. */
export function toRecord(error: unknown, occurrence: Occurrence): ErrorRecord {
  return buildRecord(classify(error), occurrence)
}

/** The Error record of an error that has been classified. */
export function buildRecord(classification: Classification, { path, now, strict }: Occurrence): ErrorRecord {
  const record: ErrorRecord = {
    timestamp: formatTimestamp(now ?? Date.now()),
    status: classification.status,
    error: getStatusDefaults(classification.status).reason,
    message: classification.message,
    path,
  }
  if (strict) return record
  record.code = classification.code
  if (classification.errors) record.errors = withoutParams(classification.errors)
  return record
}
