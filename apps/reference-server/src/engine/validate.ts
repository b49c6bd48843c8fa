import { invalid, type Problem } from '../messages/errors.ts'
import { message } from '../messages/messages.ts'
import { nearHint } from '../messages/near-name.ts'
import type { Fields } from './define.ts'
import type { Field } from './fields.ts'
import { problemsOf } from './issues.ts'

export type Input = Readonly<Record<string, unknown>>

export interface Rules {
  /** Fields as this API version has them. */
  fields: Fields
  mode: 'create' | 'update'
  /** Overlooks fields that do not exist. */
  lenient: boolean
  /** What is shown now, for fields that must stay as they are. */
  current?: Input
}

// A HAL client sends documents back as it got them.
const IGNORED = new Set(['_links', '_embedded', '_templates', 'page'])

/**
 * Checks a whole representation: first its shape, and everything that is wrong with it (400), then the ranges of its
 * values (422). Gives the fields that the client may set.
 */
export function validate(body: unknown, { fields, mode, lenient, current }: Rules): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid(400, 'VALIDATION_FAILED', [mustBeObject('')])
  const input = body as Input
  const problems: Problem[] = []
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(input)) {
    if (Object.hasOwn(fields, name) || name === 'id' || IGNORED.has(name)) continue
    if (lenient) continue
    const hint = nearHint(name, writableNames(fields, mode))
    problems.push({ pointer: pointerTo(name), key: 'UNKNOWN.field', ...(hint && { hint }) })
  }
  if (Object.hasOwn(input, 'id')) checkId(input['id'], mode, current, problems)
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined
    if (field.writable[mode]) readField(name, field, value, values, problems)
    else if (value !== undefined && !isSame(value, current?.[name]))
      problems.push({ pointer: pointerTo(name), key: field.writable.create ? 'READ_ONLY.fixed' : 'READ_ONLY.field' })
  }
  if (problems.length > 0) throw invalid(400, 'VALIDATION_FAILED', problems)
  checkRanges(fields, values)
  return values
}

function checkId(id: unknown, mode: Rules['mode'], current: Input | undefined, problems: Problem[]): void {
  const isPrimitive = typeof id === 'number' || typeof id === 'string'
  const isOwn = isPrimitive && mode === 'update' && current !== undefined && String(id) === String(current['id'])
  if (isOwn) return
  if (mode === 'create') problems.push({ pointer: '/id', key: 'READ_ONLY.id' })
  else problems.push({ pointer: '/id', key: 'READ_ONLY.path', params: { id: String(current?.['id'] ?? '') } })
}

function readField(
  name: string,
  field: Field,
  value: unknown,
  values: Record<string, unknown>,
  problems: Problem[],
): void {
  if (value === undefined || (value === null && !field.required)) {
    if (field.required) problems.push({ pointer: pointerTo(name), key: 'REQUIRED.field' })
    return
  }
  const parsed = field.schema.safeParse(value, { reportInput: true })
  if (parsed.success) values[name] = parsed.data
  else problems.push(...problemsOf(pointerTo(name), parsed.error.issues, field.json))
}

function checkRanges(fields: Fields, values: Record<string, unknown>): void {
  const problems = Object.entries(values).flatMap(([name, value]): Problem[] =>
    (fields[name]?.range?.(value) ?? []).map((problem) => ({ ...problem, pointer: pointerTo(name) + problem.pointer })),
  )
  if (problems.length > 0) throw invalid(422, 'BUSINESS_RULE', problems)
}

/** A value that is no object. */
export function mustBeObject(pointer: string): Problem {
  return { pointer, key: 'TYPE.expected', params: { expected: message('word.object') } }
}

function writableNames(fields: Fields, mode: Rules['mode']): string[] {
  return Object.entries(fields).flatMap(([name, { writable }]) => (writable[mode] ? [name] : []))
}

/** A JSON Pointer to a field of the body (RFC 6901). */
export function pointerTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Whether two JSON values are the same. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && isSame((a as Input)[name], (b as Input)[name]))
}
