import { parseHttpDate } from '../../internal/date.ts'

/** Problem details of a response (RFC 9457 §3.1). */
export interface ParsedProblem {
  /** `about:blank` if the document has none. */
  type: string
  /** Human-readable name of the problem type. */
  title?: string
  /** The status in the document. If it differs from that of the response, the response is right. */
  status?: number
  /** Human-readable description of this occurrence. */
  detail?: string
  /** URI of this occurrence. */
  instance?: string
  /** Extension members, not checked. */
  [extension: string]: unknown
}

/**
 * Returns whether a response of `fetch`, or any object with `headers.get`, has a JSON problem
 * document.
 */
export function isProblem(response: { headers: { get(name: string): string | null } }): boolean {
  const type = response.headers.get('content-type') ?? ''
  const end = type.indexOf(';')
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase() === 'application/problem+json'
}

/**
 * Parses a JSON problem document. A member of the standard with the wrong type is omitted (RFC 9457
 * §3.1). Returns `undefined` if the text is not a JSON object, and never throws.
 */
export function parseProblem(text: string): ParsedProblem | undefined {
  const document = parseObject(text)
  if (!document) return undefined
  const members = Object.entries(document).filter(([name, value]) => STANDARD.get(name)?.(value) ?? true)
  return { type: 'about:blank', ...Object.fromEntries(members) }
}

/**
 * Parses `Retry-After` in both forms (RFC 9110 §10.2.3). Returns the seconds to wait, 0 for a time
 * in the past, and `undefined` for any other value.
 */
export function parseRetryAfter(value: string | null | undefined, now = Date.now()): number | undefined {
  if (value == null) return undefined
  if (/^\d{1,15}$/.test(value)) return Number(value)
  const moment = parseHttpDate(value, now)
  return moment === undefined ? undefined : Math.max(0, Math.ceil((moment - now) / 1000))
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isStatus = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599

const STANDARD = new Map<string, (value: unknown) => boolean>([
  ['type', isText],
  ['title', isText],
  ['status', isStatus],
  ['detail', isText],
  ['instance', isText],
])

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
