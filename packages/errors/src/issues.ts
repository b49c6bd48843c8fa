import { getUnknownKeys, toIssueCode, toIssueDetail } from './issue-words.ts'

/** Where in a request a value stands. */
export type ErrorLocation = 'body' | 'query' | 'header' | 'path'

/** One thing that is wrong with one value of a request. */
export interface ErrorEntry {
  /** JSON Pointer (RFC 6901) to the value; empty for the whole. */
  pointer: string
  /** Which part of the request `pointer` leads into. */
  location: ErrorLocation
  /** The path in the form that people write: `items[0].quantity`. */
  field: string
  /** Stable name of what is wrong: `REQUIRED`, `TYPE`, `FORMAT`, `LENGTH`, `RANGE`, `UNKNOWN`, `INVALID`. */
  code: string
  /** One sentence for people, which does not repeat the value. */
  detail: string
  /** Values for the translated detail: `localize` gets them. Never sent. */
  params?: Readonly<Record<string, unknown>>
}

/** An issue of Standard Schema. */
export interface Issue {
  /** One sentence for people. */
  readonly message: string
  /** The keys that lead to the value; absent for the whole. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
  /** A code in UPPER_SNAKE is taken as it is; others are those of the library. */
  readonly code?: string | undefined
}

/** What every validation that fails is, if nothing else is said. */
export const VALIDATION_FAILED = {
  status: 400,
  code: 'VALIDATION_FAILED',
  message: 'The request has values that are not valid.',
}

/** Entries as they are sent. */
export function withoutParams(errors: readonly ErrorEntry[]): ErrorEntry[] {
  return errors.map(({ params: _, ...sent }) => sent)
}

const MAX_ENTRIES = 50
const MAX_TEXT = 200

/** Issues as entries: at most 50, and nothing in them that the client could make long. */
export function toEntries(issues: readonly Issue[], location: ErrorLocation, value?: unknown): ErrorEntry[] {
  const entries: ErrorEntry[] = []
  for (const issue of issues) {
    // Not `path.map`: the paths of arktype are arrays of a class whose constructor takes the items.
    const path = Array.from(issue.path ?? [], getKey)
    const unknown = getUnknownKeys(issue)
    const paths = unknown ? unknown.map((key) => [...path, key]) : [path]
    for (const each of paths) {
      if (entries.length === MAX_ENTRIES) return entries
      const code = value !== undefined && !isThere(value, each) ? 'REQUIRED' : toIssueCode(issue)
      entries.push({
        pointer: clip(each.map(formatToken).join('')),
        location,
        field: clip(formatField(each)),
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

/** RFC 6901 3: `~` and `/` are escaped. */
function formatToken(key: PropertyKey): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function formatField(path: readonly PropertyKey[]): string {
  let field = ''
  for (const key of path) {
    if (typeof key === 'number') field += `[${key}]`
    else field += field === '' ? String(key) : `.${String(key)}`
  }
  return field
}

/** Whether a path leads to a value. */
function isThere(value: unknown, path: readonly PropertyKey[]): boolean {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false
    at = (at as Record<PropertyKey, unknown>)[key]
  }
  return at !== undefined
}

function clip(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text
}
