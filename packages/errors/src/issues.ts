import { formatPointer } from '../../internal/json-pointer.ts'
import type { Issue } from './issue.ts'
import { getUnknownKeys, toIssueCode, toIssueDetail } from './issue-details.ts'

/** The part of the request that contains a value. */
export type ErrorLocation = 'body' | 'query' | 'header' | 'path'

/** An invalid value of a request. */
export interface ErrorEntry {
  /** JSON Pointer (RFC 6901) to the value; empty for the whole part. */
  pointer: string
  /** The part of the request that `pointer` refers to. */
  location: ErrorLocation
  /** The path in JavaScript notation: `items[0].quantity`. */
  field: string
  /**
   * Stable name of the cause: `REQUIRED`, `TYPE`, `FORMAT`, `LENGTH`, `RANGE`, `UNKNOWN`,
   * `INVALID`.
   */
  code: string
  /** Human-readable description, without the value. */
  detail: string
  /** Values for the translated detail, passed to `localize`. Never sent. */
  params?: Readonly<Record<string, unknown>>
}

/** Status, code and message of a failed validation. */
export const VALIDATION_FAILED = {
  status: 400,
  code: 'VALIDATION_FAILED',
  message: 'The request has values that are not valid.',
}

/** Returns the entries without `params`, which are never sent. */
export function omitParams(errors: readonly ErrorEntry[]): ErrorEntry[] {
  return errors.map(({ params: _, ...sent }) => sent)
}

const MAX_ENTRIES = 50
const MAX_TEXT = 200

/** Converts issues to entries: at most 50, with strings of limited length. */
export function toEntries(issues: readonly Issue[], location: ErrorLocation, value?: unknown): ErrorEntry[] {
  const entries: ErrorEntry[] = []
  for (const issue of issues) {
    // Not `path.map`: paths of arktype are instances of an array class whose constructor takes the
    // items.
    const path = Array.from(issue.path ?? [], getKey)
    const unknown = getUnknownKeys(issue)
    const paths = unknown ? unknown.map((key) => [...path, key]) : [path]
    for (const keys of paths) {
      if (entries.length === MAX_ENTRIES) return entries
      const code = value !== undefined && !hasValue(value, keys) ? 'REQUIRED' : toIssueCode(issue)
      entries.push({
        pointer: clip(formatPointer(keys)),
        location,
        field: clip(formatField(keys)),
        code,
        detail: clip(toIssueDetail(issue, code)),
      })
    }
  }
  return entries
}

function getKey(segment: PropertyKey | { readonly key: PropertyKey }): PropertyKey {
  return typeof segment === 'object' ? segment.key : segment
}

function formatField(path: readonly PropertyKey[]): string {
  let field = ''
  for (const key of path) {
    if (typeof key === 'number') field += `[${key}]`
    else field += field === '' ? String(key) : `.${String(key)}`
  }
  return field
}

/** Whether the value has something at this path. */
function hasValue(value: unknown, path: readonly PropertyKey[]): boolean {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return false
    current = (current as Record<PropertyKey, unknown>)[key]
  }
  return current !== undefined
}

function clip(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text
}
