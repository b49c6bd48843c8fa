import { createArgumentError, inspectValue } from '../../internal/options.ts'
import { encodeReserved, encodeUnreserved } from './percent.ts'
import { UriTemplate } from './uri-template.ts'

/** A value of a path segment. */
export type PathValue = string | number | bigint

const CLEAN_PATH = /^\/(?!\/)[\w.~\-/!$&'()*+,;=:@?#]*$/
const ABSOLUTE = /^https?:\/\/[^/?#]/i
const BASE = /^(?:https?:\/\/[^/?#\s"<>\\]+)?(?:\/[\w.~\-!$&'()*+,;=:@%]+)*$/i

/**
 * Builds a path: `` path`/orders/${id}/items` ``. Values are percent-encoded, so that none can
 * leave its segment. Returns `undefined` if a value is `undefined` or `null`. Throws a `TypeError`
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
    text += encodeSegment(value, isEmptyOrDots(value) && isWhole(text, after)) + after
  }
  return text
}

/** Percent-encodes a value. A `whole` segment must not be `''`, `.` or `..`. */
export function encodeSegment(value: unknown, whole: boolean): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return encodeUnreserved(String(value))
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') throw createArgumentError('hal: path', 'values', 'strings or numbers', value)
  if (whole && isEmptyOrDots(value)) {
    throw new TypeError(`hal: path: segments must not be empty, "." or "..", got ${inspectValue(value)}`)
  }
  return encodeUnreserved(value)
}

/** Whether a value as a segment would change the target of a path. */
export function isEmptyOrDots(value: unknown): boolean {
  return value === '' || value === '.' || value === '..'
}

/** Whether a value between these strings is a whole segment, or only has dots next to it. */
export function isWhole(before: string, after: string): boolean {
  return /^[^?#]*\/\.*$/.test(before) && /^\.*(?:[/?#]|$)/.test(after)
}

/**
 * Returns a base without a trailing slash. Throws a `TypeError` unless it is `''`, a path prefix or
 * an http(s) URL.
 */
export function checkBase(base: string): string {
  const bare = typeof base === 'string' && base.endsWith('/') ? base.slice(0, -1) : base
  if (typeof bare === 'string' && BASE.test(bare)) return bare
  throw new TypeError(`hal: base must be '', a path such as '/v1' or an http(s) URL, got ${inspectValue(base)}`)
}

/**
 * Returns the URL of a target relative to a base, with invalid characters percent-encoded. Throws a
 * `TypeError` for other schemes than http and https, for `//host`, and for a path that does not
 * begin at the root.
 */
export function resolveHref(target: string, base: string, where = 'hal: a link'): string {
  if (CLEAN_PATH.test(target)) return base + target
  if (typeof target !== 'string') throw createTargetError(target, where)
  const isPath = target.startsWith('/') && !target.startsWith('//')
  if (!isPath && !ABSOLUTE.test(target)) throw createTargetError(target, where)
  const clean = target.includes('{') ? encodeTemplate(target) : encodeReserved(target)
  return isPath ? base + clean : clean
}

function encodeTemplate(target: string): string {
  const pieces = new UriTemplate(target).toString().split(/(\{[^}]*\})/)
  return pieces.map((piece, index) => (index % 2 === 0 ? encodeReserved(piece) : piece)).join('')
}

function createTargetError(target: unknown, where: string): TypeError {
  return new TypeError(`${where} must be a path from the root or an http(s) URL, got ${inspectValue(target)}`)
}
