import { isCode } from './code.ts'
import type { Issue } from './issue.ts'

/** The properties that zod, valibot and arktype add to the message and path of the standard. */
interface RichIssue extends Issue {
  /** zod 4: the kind of value that has the wrong size. */
  origin?: unknown
  /** zod: the unrecognized members. */
  keys?: unknown
  /** valibot: `schema`, `validation` or `transformation`. */
  kind?: unknown
  /** valibot: the name of the rule. zod 3: the kind of value that has the wrong size. */
  type?: unknown
  /** valibot and arktype: the expected value. */
  expected?: unknown
  /** valibot: the value as source text. zod 3: its type. */
  received?: unknown
  /** arktype: the value or its type as text. */
  actual?: unknown
  /** arktype: the value. */
  data?: unknown
  /** arktype: the issues that a union or an intersection consists of. */
  errors?: readonly RichIssue[]
}

// By the code of an issue of zod, then of arktype, then by the name of the rule of valibot.
const CODES = new Map<unknown, string>([
  ['invalid_type', 'TYPE'],
  ['invalid_format', 'FORMAT'],
  ['invalid_string', 'FORMAT'],
  ['not_multiple_of', 'RANGE'],
  ['unrecognized_keys', 'UNKNOWN'],
  ['required', 'REQUIRED'],
  ['domain', 'TYPE'],
  ['proto', 'TYPE'],
  ['pattern', 'FORMAT'],
  ['min', 'RANGE'],
  ['max', 'RANGE'],
  ['divisor', 'RANGE'],
  ['minLength', 'LENGTH'],
  ['maxLength', 'LENGTH'],
  ['exactLength', 'LENGTH'],
  ['length', 'LENGTH'],
  ['min_length', 'LENGTH'],
  ['max_length', 'LENGTH'],
  ['non_empty', 'LENGTH'],
  ['min_value', 'RANGE'],
  ['max_value', 'RANGE'],
  ['gt_value', 'RANGE'],
  ['lt_value', 'RANGE'],
  ['multiple_of', 'RANGE'],
  ['integer', 'TYPE'],
])

const FORMATS = /^(email|rfc_email|regex|url|uuid|ulid|nanoid|cuid2|ip|ipv4|ipv6|mac|emoji|base64|digits|decimal|iso_)/
const CHOICES = /^(literal|picklist|enum|union|variant)$/

/** Returns the stable name for the cause of an issue. */
export function toIssueCode(issue: RichIssue): string {
  const { code, kind, type, origin, expected, received, message } = issue
  if (typeof code === 'string' && isCode(code)) return code
  if (code === 'too_small' || code === 'too_big') return isMeasured(origin ?? type) ? 'RANGE' : 'LENGTH'
  if (received === 'undefined' || (code === 'invalid_type' && message.endsWith('received undefined'))) return 'REQUIRED'
  if (code === 'predicate' && expected === 'removed') return 'UNKNOWN'
  if (kind === 'schema') {
    if (expected === 'never') return 'UNKNOWN'
    return CHOICES.test(String(type)) ? 'INVALID' : 'TYPE'
  }
  return CODES.get(code ?? type) ?? (kind === 'validation' && FORMATS.test(String(type)) ? 'FORMAT' : 'INVALID')
}

function isMeasured(kind: unknown): boolean {
  return kind === 'number' || kind === 'int' || kind === 'bigint' || kind === 'date'
}

/** Returns the unrecognized members, which zod lists in one issue of their parent. */
export function getUnknownKeys({ code, keys }: RichIssue): string[] | undefined {
  return code === 'unrecognized_keys' && Array.isArray(keys) ? keys.map(String) : undefined
}

/**
 * Returns a description of the issue. Messages of valibot and arktype quote the value, which is
 * removed.
 */
export function toIssueDetail(issue: RichIssue, code: string): string {
  const { message, received, actual, expected, data } = issue
  if (code === 'REQUIRED') return 'is required'
  if (code === 'UNKNOWN') return 'is not known'
  if (typeof actual === 'string') {
    // A message without what is expected was written by the app.
    const detail = message.includes(String(expected)) ? `must be ${describeExpected(issue)}` : message
    return redactDetail(data, detail, code)
  }
  return typeof received === 'string' ? removeReceived(message, received, code) : message
}

/**
 * Removes the end of a message that quotes the value: `Expected string but received 5`. A message
 * that quotes it elsewhere, such as a translation, becomes a generic one. The name of a type is not
 * a value.
 */
function removeReceived(message: string, received: string, code: string): string {
  for (const quoted of [received, `'${received}'`]) {
    if (!message.endsWith(quoted)) continue
    const start = message.slice(0, message.length - quoted.length)
    const detail = start.replace(/(:|,| but)? received $/i, '')
    if (detail !== start) return detail
  }
  const value = /^"(.*)"$/s.exec(received)?.[1] ?? (/^[\d-]/.test(received) ? received : undefined)
  return redactDetail(value, message, code)
}

/**
 * Returns what an issue of arktype expects. For a union or an intersection it is built from their
 * issues, because their `expected` can be a message that quotes the value.
 */
function describeExpected({ code, expected, errors, path }: RichIssue): string {
  if (!errors?.length) return String(expected)
  // The branches of a union can differ in properties, whose paths the text does not contain.
  if (errors.some((error) => error.path?.length !== path?.length)) return 'valid'
  return [...new Set(errors.map(describeExpected))].join(code === 'union' ? ' or ' : ' and ')
}

const GENERIC = new Map([
  ['REQUIRED', 'is required'],
  ['TYPE', 'has the wrong type'],
  ['FORMAT', 'has the wrong format'],
  ['LENGTH', 'has the wrong length'],
  ['RANGE', 'is out of range'],
  ['UNKNOWN', 'is not known'],
])

/**
 * Returns the message of a library if it does not quote the value, else a generic one for the code.
 */
export function redactDetail(value: unknown, message: string, code: string): string {
  const isText = typeof value !== 'object' || value instanceof Date || Array.isArray(value)
  const isQuoted = value !== undefined && value !== '' && isText && isQuotedIn(message, value)
  return message === '' || isQuoted ? (GENERIC.get(code) ?? 'is not valid') : message
}

// A short value occurs within words, so it only counts in quotes, parentheses or slashes.
function isQuotedIn(message: string, value: unknown): boolean {
  try {
    const text = String(value)
    const start = message.indexOf(text)
    return start !== -1 && (text.length > 3 || /["'`(/]$/.test(message.slice(0, start)))
  } catch {
    return true // an array of a client may have no text: [{"toString":1}]
  }
}
