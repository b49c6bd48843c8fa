import { assertType } from '../../internal/options.ts'
import type { Classification } from './classification.ts'
import { classify } from './classify.ts'
import { type ErrorEntry, omitParams } from './issues.ts'
import { getStatusDefaults } from './status.ts'
import { formatTimestamp } from './timestamp.ts'

/** The Error record: the JSON body of every error. */
export interface ErrorRecord {
  /** Time of the error: RFC 3339, UTC, with milliseconds. */
  timestamp: string
  /** The HTTP status of the response. */
  status: number
  /** The reason phrase of the status. */
  error: string
  /** Human-readable description. Clients should decide by `code`. */
  message: string
  /** The path of the request, without its query. */
  path: string
  /** Stable name of the cause. Absent in a strict record. */
  code?: string
  /** The invalid values of the request. Absent in a strict record. */
  errors?: readonly ErrorEntry[]
}

/** Options for `toRecord()`. */
export interface ToRecordOptions {
  /** Path of the request. Omit the query, which may contain secrets. */
  path: string
  /** Time of the error in milliseconds since 1970. @defaultValue Date.now() */
  now?: number
  /** Whether the record has only the five common properties. @defaultValue false */
  strict?: boolean
}

/**
 * Returns the Error record for any thrown value, with only the information that the error exposes.
 * Throws a `TypeError` only if `path` is missing.
 */
export function toRecord(error: unknown, options: ToRecordOptions): ErrorRecord {
  assertPath('errors: toRecord', options)
  return buildRecord(classify(error), options)
}

/** Throws a `TypeError` unless the options have a path. */
export function assertPath(owner: string, options: { path: string } | undefined): void {
  assertType(owner, 'path', options?.path, 'string')
}

/** Returns the Error record of a classified error. */
export function buildRecord(classification: Classification, { path, now, strict }: ToRecordOptions): ErrorRecord {
  const record: ErrorRecord = {
    timestamp: formatTimestamp(now ?? Date.now()),
    status: classification.status,
    error: getStatusDefaults(classification.status).reason,
    message: classification.message,
    path,
  }
  if (strict) return record
  record.code = classification.code
  if (classification.errors) record.errors = omitParams(classification.errors)
  return record
}

/** Text that JSON contains without escapes. */
const PLAIN = /^[ !#-[\]-~]*$/

/**
 * Returns a record as JSON, as `JSON.stringify()` does: that is cheap in a loop, but takes
 * microseconds between the other work of a request.
 */
export function stringifyRecord(record: ErrorRecord): string {
  const { timestamp, status, error, message, path, code, errors } = record
  if (code === undefined || errors) return JSON.stringify(record)
  const start = `{"timestamp":${quote(timestamp)},"status":${status},"error":${quote(error)}`
  return `${start},"message":${quote(message)},"path":${quote(path)},"code":${quote(code)}}`
}

function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}
