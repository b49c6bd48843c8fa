import { inspectValue } from '../../internal/options.ts'
import { encodeReserved, encodeUnreserved } from './percent.ts'
import { UriTemplate } from './uri-template.ts'

/** A value of which a path segment can be made. */
export type PathValue = string | number | bigint

const CLEAN_PATH = /^\/(?!\/)[\w.~\-/!$&'()*+,;=:@?#]*$/
const ABSOLUTE = /^https?:\/\/[^/?#]/i
const BASE = /^(?:https?:\/\/[^/?#\s"<>\\]+)?(?:\/[\w.~\-!$&'()*+,;=:@%]+)*$/i

/**
 * Builds a path: `` path`/orders/${id}/items` ``. Values are percent-encoded, so that none can
 * leave its segment. With `undefined` or `null` for a value there is no path. Throws a TypeError
 * for a segment that would name another resource: empty, `.` or `..`.
 */
export function path(strings: TemplateStringsArray, ...values: PathValue[]): string
export function path(strings: TemplateStringsArray, ...values: (PathValue | null | undefined)[]): string | undefined
export function path(strings: TemplateStringsArray, ...values: (PathValue | null | undefined)[]): string | undefined {
  let text = strings[0] ?? ''
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    const after = strings[index + 1] ?? ''
    if (value === undefined || value === null) return undefined
    text += segment(value, isEmptyOrDots(value) && isWhole(text, after)) + after
  }
  return text
}

/** Percent-encodes a value. `whole`: it is a whole segment, so `''`, `.` and `..` are rejected. */
export function segment(value: unknown, whole: boolean): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return encodeUnreserved(String(value))
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') throw new TypeError(`hal: a path is made of strings and numbers, got ${typeof value}`)
  if (whole && isEmptyOrDots(value)) {
    throw new TypeError(`hal: ${JSON.stringify(value)} cannot be a path segment, it would name another resource`)
  }
  return encodeUnreserved(value)
}

/** Whether a value would change what a path leads to, where it is a segment. */
export function isEmptyOrDots(value: unknown): boolean {
  return value === '' || value === '.' || value === '..'
}

/**
 * Whether a value between these two strings is a whole segment of the path, or one that has only
 * dots next to it.
 */
export function isWhole(before: string, after: string): boolean {
  return /^[^?#]*\/\.*$/.test(before) && /^\.*(?:[/?#]|$)/.test(after)
}

/**
 * Refuses a base that is neither `''`, a path prefix nor an http(s) URL. A slash at its end is
 * dropped.
 */
export function checkBase(base: string): string {
  const bare = base.endsWith('/') ? base.slice(0, -1) : base
  if (BASE.test(bare)) return bare
  throw new TypeError(`hal: base must be '', a path such as '/v1' or an http(s) URL, got ${JSON.stringify(base)}`)
}

/**
 * The URL of a target under a base; characters that no URI may hold are percent-encoded. Throws a
 * TypeError on other schemes than http and https, on `//host`, and on what is not a path from the
 * root.
 */
export function resolveHref(target: string, base: string, where = 'hal: a link'): string {
  if (CLEAN_PATH.test(target)) return base + target
  const isPath = target.startsWith('/') && !target.startsWith('//')
  if (!isPath && !ABSOLUTE.test(target)) throw refused(target, where)
  const clean = target.includes('{') ? encodeTemplate(target) : encodeReserved(target)
  return isPath ? base + clean : clean
}

function encodeTemplate(target: string): string {
  const pieces = new UriTemplate(target).toString().split(/(\{[^}]*\})/)
  return pieces.map((piece, index) => (index % 2 === 0 ? encodeReserved(piece) : piece)).join('')
}

function refused(target: string, where: string): TypeError {
  return new TypeError(`${where} must lead to a path from the root or to an http(s) URL, got ${inspectValue(target)}`)
}
