import type { RecognizedError } from '../classification.ts'
import type { Issue } from '../issue.ts'
import { detailWithout } from '../issue-words.ts'
import { toEntries, VALIDATION_FAILED } from '../issues.ts'

interface YupError {
  name: string
  message: string
  path?: string
  type?: string
  value?: unknown
  params?: { type?: unknown; unknown?: unknown }
  inner: YupError[]
}

/** yup: one error, with one in `inner` for each problem if there are several. */
export function fromYup(error: object): RecognizedError | undefined {
  if (!isYupError(error)) return undefined
  const problems = error.inner.length > 0 ? error.inner : [error]
  return { ...VALIDATION_FAILED, errors: toEntries(problems.flatMap(toIssues), 'body') }
}

function isYupError(error: object): error is YupError {
  const { name, errors, inner } = error as { name?: unknown; errors?: unknown; inner?: unknown }
  return name === 'ValidationError' && Array.isArray(inner) && Array.isArray(errors)
}

const CODES = new Map<unknown, string>([
  ['required', 'REQUIRED'],
  ['optionality', 'REQUIRED'],
  ['nullable', 'REQUIRED'],
  ['typeError', 'TYPE'],
  ['integer', 'TYPE'],
  ['noUnknown', 'UNKNOWN'],
  ['exact', 'UNKNOWN'],
  ['length', 'LENGTH'],
  ...[
    'email',
    'url',
    'uuid',
    'matches',
    'datetime',
    'datetime_precision',
    'datetime_offset',
    'lowercase',
    'uppercase',
    'trim',
  ].map((rule) => [rule, 'FORMAT'] as const),
  ...['lessThan', 'moreThan', 'positive', 'negative'].map((rule) => [rule, 'RANGE'] as const),
])

function toIssues({ message, path = '', type, value, params }: YupError): Issue[] {
  const keys = parsePath(path)
  const isBound = type === 'min' || type === 'max'
  const bound = typeof value === 'number' || value instanceof Date ? 'RANGE' : 'LENGTH'
  const code = isBound ? bound : (CODES.get(type) ?? 'INVALID')
  if (code === 'UNKNOWN') {
    const unknown = String(params?.unknown ?? '').split(', ')
    return unknown.map((key) => ({ path: [...keys, key], code, message: '' }))
  }
  // The message of a wrong type quotes the value, and every message begins with the path.
  const detail =
    code === 'TYPE' && params?.type !== undefined ? `must be a ${params.type}` : withoutLabel(message, path)
  return [{ path: keys, code, message: detailWithout(value, detail, code) }]
}

function withoutLabel(message: string, path: string): string {
  return path !== '' && message.startsWith(`${path} `) ? message.slice(path.length + 1) : message
}

/** The keys in a path as yup writes it: `items[0].quantity`, `["a.b"]`. */
function parsePath(path: string): (string | number)[] {
  return [...path.matchAll(/[^.[\]"]+|"([^"]*)"/g)].map(([text, quoted]) => {
    if (quoted !== undefined) return quoted
    return /^\d+$/.test(text) ? Number(text) : text
  })
}
