import { parseHttpDate } from '../../internal/date.ts'
import { createArgumentError, inspectValue } from '../../internal/options.ts'

/** Problem details of a response (RFC 9457 §3.1). */
export interface ParsedProblem {
  /** URI of the problem type; `about:blank` if the document has none. */
  type: string
  /** Human-readable name of the problem type. */
  title?: string
  /**
   * The status in the document. If it differs from the status of the response, the latter counts.
   */
  status?: number
  /** Human-readable description of this occurrence. */
  detail?: string
  /** URI of this occurrence. */
  instance?: string
  /** Extension members, not validated. */
  [extension: string]: unknown
}

/** Whether a response of `fetch`, or any object with `headers.get`, is a JSON problem document. */
export function isProblem(response: { headers: { get(name: string): string | null } }): boolean {
  if (typeof response?.headers?.get !== 'function')
    throw new TypeError(`errors: isProblem: response must have headers of Fetch, got ${inspectValue(response)}`)
  const type = response.headers.get('content-type') ?? ''
  const end = type.indexOf(';')
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase() === 'application/problem+json'
}

/**
 * Parses a JSON problem document. Standard members of the wrong type are omitted (RFC 9457 §3.1).
 * Returns `undefined` if the string is not a JSON object. Never throws.
 */
export function parseProblem(text: string): ParsedProblem | undefined {
  const document = parseObject(text)
  if (!document) return undefined
  const members = Object.entries(document).filter(([name, value]) => STANDARD.get(name)?.(value) ?? true)
  return { type: 'about:blank', ...Object.fromEntries(members) }
}

/**
 * Parses `Retry-After` in both forms (RFC 9110 §10.2.3). Returns the seconds to wait, 0 for a time
 * in the past, or `undefined` for any other value.
 */
export function parseRetryAfter(value: string | null | undefined, now = Date.now()): number | undefined {
  if (value == null) return undefined
  if (typeof value !== 'string') throw createArgumentError('errors: parseRetryAfter', 'value', 'a string', value)
  if (/^\d{1,15}$/.test(value)) return Number(value)
  const time = parseHttpDate(value, now)
  return time === undefined ? undefined : Math.max(0, Math.ceil((time - now) / 1000))
}

const isString = (value: unknown): boolean => typeof value === 'string'
const isStatus = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599

const STANDARD = new Map<string, (value: unknown) => boolean>([
  ['type', isString],
  ['title', isString],
  ['status', isStatus],
  ['detail', isString],
  ['instance', isString],
])

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
