import type { z } from 'zod'
import type { Problem, ProblemKey } from '../messages/errors.ts'
import { isMessageKey, message, type Params } from '../messages/messages.ts'
import { nearHint } from '../messages/near-name.ts'
import type { JsonSchema } from './fields.ts'

type Issue = z.core.$ZodIssue

/** What zod found wrong with the value at a pointer, in the words of our Error record. */
export function problemsOf(pointer: string, issues: readonly Issue[], json: JsonSchema): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    const place = pointer + issue.path.map((step) => `/${escapeStep(String(step))}`).join('')
    if (issue.code !== 'unrecognized_keys') return [{ pointer: place, ...describe(issue) }]
    const names = Object.keys((schemaAt(json, issue.path)['properties'] ?? {}) as object)
    return issue.keys.map((key) => {
      const hint = nearHint(key, names)
      return { pointer: `${place}/${escapeStep(key)}`, key: 'UNKNOWN.field', ...(hint && { hint }) }
    })
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
      return oneOf(issue.values.map(String), issue.input)
    case 'invalid_format':
      return FORMATS[issue.format] ?? { key: 'FORMAT.pattern', params: { pattern: String(issue.pattern ?? '') } }
    case 'custom':
      return (issue.params ?? { key: 'FORMAT.control' }) as { key: ProblemKey; params?: Params }
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
export function oneOf(allowed: readonly string[], input: unknown): Described {
  const hint = typeof input === 'string' ? nearHint(input, allowed) : undefined
  return { key: 'VALUE.oneOf', params: { allowed }, ...(hint && { hint }) }
}

function mustBe(type: string): Described {
  const word = `word.${type === 'int' ? 'integer' : type}`
  return { key: 'TYPE.expected', params: { expected: isMessageKey(word) ? message(word) : type } }
}

function isNumeric(origin: string): boolean {
  return origin === 'number' || origin === 'int' || origin === 'bigint'
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The schema of what a path leads to. */
function schemaAt(json: JsonSchema, path: readonly PropertyKey[]): JsonSchema {
  let schema = json
  for (const step of path) {
    const members = (schema['properties'] ?? {}) as Record<string, JsonSchema>
    schema = ((typeof step === 'number' ? schema['items'] : members[String(step)]) ?? {}) as JsonSchema
  }
  return schema
}
