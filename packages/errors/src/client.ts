import { parseHttpDate } from '../../internal/date.ts'

/** Problem details as a client reads them (RFC 9457 3.1). */
export interface ParsedProblem {
  /** `about:blank` where the document says nothing. */
  type: string
  /** What kind of problem this is, for people. */
  title?: string
  /** The status that the document names: that of the response counts where they differ. */
  status?: number
  /** What happened this time, for people. */
  detail?: string
  /** A URI that names this occurrence. */
  instance?: string
  /** Extension members, not checked. */
  [extension: string]: unknown
}

/** Whether a response (of `fetch`, or anything with `headers.get`) has a JSON problem document. */
export function isProblem(response: { headers: { get(name: string): string | null } }): boolean {
  const type = response.headers.get('content-type') ?? ''
  const end = type.indexOf(';')
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase() === 'application/problem+json'
}

/**
 * Reads a JSON problem document. A member of the standard that has the wrong type is left out, as RFC 9457 3.1 asks;
 * `undefined` for what is no JSON object. Never throws.
 */
export function parseProblem(text: string): ParsedProblem | undefined {
  const document = parseObject(text)
  if (!document) return undefined
  const members = Object.entries(document).filter(([name, value]) => STANDARD.get(name)?.(value) ?? true)
  return { type: 'about:blank', ...Object.fromEntries(members) }
}

/**
 * Reads `Retry-After` in both forms (RFC 9110 10.2.3): the seconds to wait, 0 for a moment that has passed, and
 * `undefined` for everything else.
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
