import type { z } from 'zod'
import { invalid, MAX_PROBLEMS, type Problem } from '../messages/errors.ts'
import { isMessageKey, message } from '../messages/messages.ts'
import { nearHint } from '../messages/near-name.ts'
import type { Field, Fields, JsonSchema } from './field.ts'

export type Input = Readonly<Record<string, unknown>>

export interface Rules {
  /** Fields as this API version has them. */
  fields: Fields
  mode: 'create' | 'update'
  /** Overlooks fields that do not exist. */
  lenient: boolean
  /** Current representation, for fields that must not change. */
  current?: Input
}

// A HAL client sends documents back as it got them.
const IGNORED = new Set(['_links', '_embedded', '_templates', 'page'])

/**
 * Checks a whole representation: first its shape, and everything that is wrong with it (400), then
 * the ranges of its values (422). Gives the fields that the client may set.
 */
export function validate(body: unknown, { fields, mode, lenient, current }: Rules): Record<string, unknown> {
  const input = requireObject(body)
  const problems: Problem[] = []
  for (const name of Object.keys(input)) {
    if (lenient || Object.hasOwn(fields, name) || name === 'id' || IGNORED.has(name)) continue
    if (problems.length >= MAX_PROBLEMS) break
    const writable = Object.keys(fields).filter((each) => fields[each]?.writable[mode])
    problems.push({ pointer: pointerTo(name), key: 'UNKNOWN.field', hint: nearHint(name, writable) })
  }
  if (Object.hasOwn(input, 'id')) checkId(input['id'], mode, current, problems)
  const checks = checkLists.get(fields) ?? listChecks(fields)
  const values = readValues(input, checks, mode, current, problems)
  if (problems.length > 0) throw invalid(400, 'VALIDATION_FAILED', problems)
  for (const { name, pointer, field } of checks)
    if (field.range && Object.hasOwn(values, name))
      for (const problem of field.range(values[name])) problems.push({ ...problem, pointer: pointer + problem.pointer })
  if (problems.length > 0) throw invalid(422, 'BUSINESS_RULE', problems)
  return values
}

/** One field, as it is checked in each request. */
interface Check {
  name: string
  pointer: string
  field: Field
}

const checkLists = new WeakMap<Fields, readonly Check[]>()

// The fields of a collection in an API version are always the same object.
function listChecks(fields: Fields): readonly Check[] {
  const checks = Object.entries(fields).map(([name, field]) => ({ name, pointer: pointerTo(name), field }))
  checkLists.set(fields, checks)
  return checks
}

const WITH_INPUT = { reportInput: true }

function readValues(
  input: Input,
  checks: readonly Check[],
  mode: Rules['mode'],
  current: Input | undefined,
  problems: Problem[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { name, pointer, field } of checks) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined
    const { required, writable, schema } = field
    if (!writable[mode]) {
      if (value !== undefined && !isCurrent(value, schema, current?.[name]))
        problems.push({ pointer, key: writable.create ? 'READ_ONLY.fixed' : 'READ_ONLY.field' })
      continue
    }
    if (value === undefined || (value === null && !required)) {
      if (required) problems.push({ pointer, key: 'REQUIRED.field' })
      continue
    }
    const parsed = schema.safeParse(value, WITH_INPUT)
    if (parsed.success) values[name] = parsed.data
    else problems.push(...toProblems(pointer, parsed.error.issues, field.json))
  }
  return values
}

// Clients may send an equal value in another form, such as a 64-bit id as a string.
function isCurrent(value: unknown, schema: z.ZodType, current: unknown): boolean {
  if (isSame(value, current)) return true
  const { success, data } = schema.safeParse(value)
  return success && isSame(data, current)
}

function checkId(id: unknown, mode: Rules['mode'], current: Input | undefined, problems: Problem[]): void {
  const isPrimitive = typeof id === 'number' || typeof id === 'string'
  const isOwn = isPrimitive && mode === 'update' && current !== undefined && String(id) === String(current['id'])
  if (isOwn) return
  if (mode === 'create') problems.push({ pointer: '/id', key: 'READ_ONLY.id' })
  else problems.push({ pointer: '/id', key: 'READ_ONLY.path', params: { id: String(current?.['id'] ?? '') } })
}

/** Returns a body that is an object. Throws a 400 for any other. */
export function requireObject(body: unknown): Input {
  if (isObject(body)) return body
  throw invalid(400, 'VALIDATION_FAILED', [mustBeObject('')])
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the problem of a value that is not an object. */
export function mustBeObject(pointer: string): Problem {
  return { pointer, key: 'TYPE.expected', params: { expected: message('word.object') } }
}

/** A JSON Pointer to a field of the body (RFC 6901). */
export function pointerTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Whether two JSON values are the same. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((value, index) => isSame(value, b[index]))
  if (!isObject(a) || !isObject(b)) return false
  let count = 0
  for (const name in a) {
    if (!Object.hasOwn(b, name) || !isSame(a[name], b[name])) return false
    count++
  }
  for (const _ in b) count--
  return count === 0
}

type Issue = z.core.$ZodIssue

/** Converts the issues that zod found in the value at a pointer to problems of our Error record. */
export function toProblems(pointer: string, issues: readonly Issue[], json: JsonSchema): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    const place = pointer + issue.path.map((step) => pointerTo(String(step))).join('')
    if (issue.code !== 'unrecognized_keys') return [{ pointer: place, ...describe(issue) }]
    const names = Object.keys(schemaAt(json, issue.path).properties ?? {})
    return issue.keys.slice(0, MAX_PROBLEMS).map((name) => ({
      pointer: place + pointerTo(name),
      key: 'UNKNOWN.field',
      hint: nearHint(name, names),
    }))
  })
}

type Described = Pick<Problem, 'key' | 'params' | 'hint'>

function describe(issue: Issue): Described {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined && issue.path.length > 0) return { key: 'REQUIRED.field' }
      return mustBe(issue.expected)
    case 'too_small':
      if (isNumeric(issue.origin)) return { key: 'RANGE.min', params: { min: String(issue.minimum) } }
      if (issue.origin === 'string' && issue.minimum === 1) return { key: 'LENGTH.empty' }
      return {
        key: issue.origin === 'string' ? 'LENGTH.minCharacters' : 'LENGTH.minItems',
        params: { count: Number(issue.minimum) },
      }
    case 'too_big':
      if (isNumeric(issue.origin)) return { key: 'RANGE.max', params: { max: String(issue.maximum) } }
      return {
        key: issue.origin === 'string' ? 'LENGTH.maxCharacters' : 'LENGTH.maxItems',
        params: { count: Number(issue.maximum) },
      }
    case 'invalid_value':
      return describeAllowed(issue.values.map(String), issue.input)
    case 'invalid_format':
      return FORMATS[issue.format] ?? { key: 'FORMAT.pattern', params: { pattern: String(issue.pattern ?? '') } }
    case 'custom':
      return Object(issue.params ?? { key: 'FORMAT.control' })
    case 'invalid_union':
      return mustBe('int')
    default:
      return mustBe('string')
  }
}

const FORMATS: Readonly<Record<string, Described>> = {
  date: { key: 'FORMAT.date', params: { example: '2026-11-21' } },
  datetime: { key: 'FORMAT.dateTime', params: { example: '2026-11-21T07:30:00Z' } },
  email: { key: 'FORMAT.email', params: { example: 'ada@example.com' } },
}

/** One of a few words, and the one that was probably meant. */
export function describeAllowed(allowed: readonly string[], input: unknown): Described {
  return {
    key: 'VALUE.oneOf',
    params: { allowed },
    hint: typeof input === 'string' ? nearHint(input, allowed) : undefined,
  }
}

function mustBe(type: string): Described {
  const word = `word.${type === 'int' ? 'integer' : type}`
  return { key: 'TYPE.expected', params: { expected: isMessageKey(word) ? message(word) : type } }
}

function isNumeric(origin: string): boolean {
  return origin === 'number' || origin === 'int' || origin === 'bigint'
}

/** The schema of what a path leads to. */
function schemaAt(json: JsonSchema, path: readonly PropertyKey[]): JsonSchema {
  let schema = json
  for (const step of path) {
    schema = (typeof step === 'number' ? schema.items : schema.properties?.[String(step)]) ?? {}
  }
  return schema
}
