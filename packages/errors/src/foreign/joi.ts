import type { RecognizedError } from '../classification.ts'
import type { Issue } from '../issue.ts'
import { redactDetail } from '../issue-details.ts'
import { type ErrorLocation, toEntries, VALIDATION_FAILED } from '../issues.ts'
import { isSystemError } from './status-carriers.ts'

interface JoiDetail {
  message: string
  path: (string | number)[]
  type: string
  context?: { label?: unknown; value?: unknown; error?: unknown }
}

const LOCATIONS = new Map<unknown, ErrorLocation>([
  ['query', 'query'],
  ['params', 'path'],
  ['headers', 'header'],
  ['cookies', 'header'],
  ['signedCookies', 'header'],
])

/**
 * Recognizes errors of Joi, and of celebrate, which contain an error of Joi for each invalid part
 * of the request.
 */
export function fromJoi(error: object): RecognizedError | undefined {
  const { isJoi, details } = error as { isJoi?: unknown; details?: unknown }
  if (isJoi === true && isDetails(details))
    return { ...VALIDATION_FAILED, errors: toEntries(details.map(toIssue), 'body') }
  if (!(details instanceof Map)) return undefined
  const errors = [...details].flatMap(([segment, inner]: [unknown, Partial<JoiError>]) =>
    inner?.isJoi === true && isDetails(inner.details)
      ? toEntries(inner.details.map(toIssue), LOCATIONS.get(segment) ?? 'body')
      : [],
  )
  return errors.length > 0 ? { ...VALIDATION_FAILED, errors } : undefined
}

interface JoiError {
  isJoi: unknown
  details: unknown
}

function isDetails(details: unknown): details is JoiDetail[] {
  return (
    Array.isArray(details) &&
    details.every((detail) => Array.isArray(detail?.path) && typeof detail.message === 'string')
  )
}

/**
 * Shortens `"c[0].q" must be a number` to `must be a number`, since the entry names the field
 * itself.
 */
function toIssue({ message, path, type, context }: JoiDetail): Issue {
  const label = `"${context?.label}" `
  const isForeign = context?.error instanceof Error && !isOfRule(context.error)
  const text = isForeign ? '' : message.startsWith(label) ? message.slice(label.length) : message
  const code = toCode(type)
  return { path, code, message: redactDetail(context?.value, text, code) }
}

// The message of what a custom rule throws is part of the detail. A rule says `throw new Error()`;
// other errors passed through it, such as those of JSON.parse or of a database.
function isOfRule(error: Error): boolean {
  return error.name === 'Error' && !('code' in error) && !isSystemError(error)
}

// Types such as `string.min` consist of the type of the schema and the rule.
function toCode(type: string): string {
  const [schema = '', rule = ''] = String(type).split('.')
  if (rule === 'required') return 'REQUIRED'
  if (rule === 'unknown') return 'UNKNOWN'
  if (rule === 'base' || rule === 'integer' || rule === 'unsafe') return 'TYPE'
  if (rule === 'only' || rule === 'invalid' || schema === 'any' || schema === 'alternatives') return 'INVALID'
  if (schema === 'number' || schema === 'date') return rule === 'format' ? 'FORMAT' : 'RANGE'
  if (rule === 'empty' || rule === 'min' || rule === 'max' || rule === 'length') return 'LENGTH'
  return schema === 'string' ? 'FORMAT' : 'INVALID'
}
