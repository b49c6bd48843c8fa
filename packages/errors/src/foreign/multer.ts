import type { RecognizedError } from '../classification.ts'
import type { Issue } from '../issue.ts'
import { toEntries, VALIDATION_FAILED } from '../issues.ts'

const TOO_LARGE = { status: 413, code: 'BODY_TOO_LARGE' }
const MALFORMED = { status: 400, code: 'MALFORMED_BODY', message: 'The body is not a valid multipart form.' }

const LIMITS = new Map<unknown, string>([
  ['LIMIT_FILE_SIZE', 'A file is too large.'],
  ['LIMIT_FILE_COUNT', 'The form has too many files.'],
  ['LIMIT_PART_COUNT', 'The form has too many parts.'],
  ['LIMIT_FIELD_COUNT', 'The form has too many fields.'],
  ['LIMIT_FIELD_KEY', 'The name of a field is too long.'],
  ['LIMIT_FIELD_VALUE', 'The value of a field is too long.'],
  ['LIMIT_FIELD_NESTING', 'The name of a field is nested too deeply.'],
  ['LIMIT_FIELD_ARRAY_INDEX', 'The array index in the name of a field is too large.'],
])

// busboy throws plain errors. Their message and a stack frame identify them.
const BUSBOY =
  /^(Malformed (content type|part header|urlencoded form)|Multipart: Boundary not found|Unexpected end of (form|file))$/

/**
 * Recognizes errors of multer by their codes, and of busboy, the parser of multer, formidable and
 * others.
 */
export function fromMulter(error: object): RecognizedError | undefined {
  const { name, code, field, message, stack } = error as Partial<Record<string, unknown>>
  if (name === 'MulterError') {
    const limit = LIMITS.get(code)
    if (limit !== undefined) return { ...TOO_LARGE, message: limit }
    if (code === 'LIMIT_UNEXPECTED_FILE') return createUnexpectedFileError(field)
    return code === 'MISSING_FIELD_NAME' || code === 'INVALID_FIELD_NAME' ? MALFORMED : undefined
  }
  return BUSBOY.test(String(message)) && /\bbusboy\b/.test(String(stack)) ? MALFORMED : undefined
}

function createUnexpectedFileError(field: unknown): RecognizedError {
  const issue: Issue = { message: '', code: 'UNKNOWN', path: typeof field === 'string' ? [field] : [] }
  return { ...VALIDATION_FAILED, errors: toEntries([issue], 'body') }
}
