import type { RecognizedError } from '../classification.ts'
import type { Issue } from '../issue.ts'
import { redactDetail } from '../issue-details.ts'
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

/** Recognizes errors of yup: one error, or with several problems one in `inner` for each. */
export function fromYup(error: object): RecognizedError | undefined {
  if (!isYupError(error)) return undefined
  const problems = error.inner.length > 0 ? error.inner : [error]
  return { ...VALIDATION_FAILED, errors: toEntries(problems.flatMap(toIssues), 'body') }
}

function isYupError(error: object): error is YupError {
  const { name, errors, inner } = error as { name?: unknown; errors?: unknown; inner?: unknown }
  return name === 'ValidationError' && Array.isArray(inner) && Array.isArray(errors)
}

const FORMAT_RULES = [
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
]
const CODES = new Map<unknown, string>([
  ['required', 'REQUIRED'],
  ['optionality', 'REQUIRED'],
  ['nullable', 'REQUIRED'],
  ['typeError', 'TYPE'],
  ['integer', 'TYPE'],
  ['noUnknown', 'UNKNOWN'],
  ['exact', 'UNKNOWN'],
  ['length', 'LENGTH'],
  ['lessThan', 'RANGE'],
  ['moreThan', 'RANGE'],
  ['positive', 'RANGE'],
  ['negative', 'RANGE'],
  ...FORMAT_RULES.map((rule) => [rule, 'FORMAT'] as const),
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
  // The message of a wrong type quotes the value, and each message begins with the path.
  const detail =
    code === 'TYPE' && params?.type !== undefined ? `must be of type ${params.type}` : removeLabel(message, path)
  return [{ path: keys, code, message: redactDetail(value, detail, code) }]
}

function removeLabel(message: string, path: string): string {
  return path !== '' && message.startsWith(`${path} `) ? message.slice(path.length + 1) : message
}

/** Parses a path of yup into its keys: `items[0].quantity`, `["a.b"]`. */
function parsePath(path: string): (string | number)[] {
  return [...path.matchAll(/[^.[\]"]+|"([^"]*)"/g)].map(([text, quoted]) => {
    if (quoted !== undefined) return quoted
    return /^\d+$/.test(text) ? Number(text) : text
  })
}
