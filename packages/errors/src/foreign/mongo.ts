import type { RecognizedError } from '../classification.ts'
import type { Issue } from '../issue.ts'
import { redactDetail } from '../issue-details.ts'
import { toEntries, VALIDATION_FAILED } from '../issues.ts'
import { CONFLICT, DUPLICATE, VALUE_REJECTED } from './constraint.ts'
import { RETRY_LATER } from './network.ts'

// Server error codes (github.com/mongodb/mongo, src/mongo/base/error_codes.yml). The later ones in
// order: document validation, write conflict, time limit exceeded, shutdown in progress, primary
// stepped down.
const CODES = new Map<unknown, RecognizedError>([
  [11000, DUPLICATE],
  [11001, DUPLICATE],
  [121, VALUE_REJECTED],
  [112, RETRY_LATER],
  [50, RETRY_LATER],
  [91, RETRY_LATER],
  [189, RETRY_LATER],
])

const UNREACHABLE =
  /^Mongo(ose)?(Network|NetworkTimeout|ServerSelection|PoolCleared|WaitQueueTimeout|TopologyClosed)Error$/

/** Thrown by mongoose for an operation that waited for a connection. */
const BUFFERED = /buffering timed out after \d+ms$/

/** Recognizes errors of the MongoDB driver and of mongoose by their names. */
export function fromMongo(error: object): RecognizedError | undefined {
  const { name, code } = error as Partial<Record<string, unknown>>
  if (typeof name !== 'string') return undefined
  if (name === 'MongooseError') return BUFFERED.test(String((error as Error).message)) ? RETRY_LATER : undefined
  if (name.startsWith('Mongo')) return UNREACHABLE.test(name) ? RETRY_LATER : CODES.get(code)
  if (name === 'ValidationError') return fromValidation(error)
  if (name === 'CastError' && 'valueType' in error) {
    // Thrown by a query: the part of the request with the value is not known.
    return { status: 400, code: 'VALIDATION_FAILED', message: 'A value of the request has the wrong type.' }
  }
  if (name === 'DocumentNotFoundError' && 'filter' in error) return { status: 404 }
  return name === 'VersionError' && 'modifiedPaths' in error ? CONFLICT : undefined
}

interface PathError {
  name?: string
  path?: string
  kind?: string
  value?: unknown
  message?: string
  properties?: Record<string, unknown>
}

/** Recognizes validation errors of mongoose, with an error for each path of the document. */
function fromValidation(error: object): RecognizedError | undefined {
  const { errors, _message } = error as { errors?: unknown; _message?: unknown }
  if (typeof _message !== 'string' || typeof errors !== 'object' || errors === null) return undefined
  // A subdocument has an error in addition to those of its paths.
  const leaves = Object.entries(errors as Record<string, PathError>).filter(
    ([, { name }]) => name !== 'ValidationError',
  )
  return { ...VALIDATION_FAILED, errors: toEntries(leaves.map(toIssue), 'body') }
}

const RULES = new Map<unknown, readonly [code: string, detail: (rule: Record<string, unknown>) => string]>([
  ['required', ['REQUIRED', () => '']],
  ['min', ['RANGE', ({ min }) => `must be at least ${min}`]],
  ['max', ['RANGE', ({ max }) => `must be at most ${max}`]],
  ['minlength', ['LENGTH', ({ minlength }) => `must have at least ${minlength} characters`]],
  ['maxlength', ['LENGTH', ({ maxlength }) => `must have at most ${maxlength} characters`]],
  ['enum', ['INVALID', ({ enumValues }) => `must be one of ${[enumValues].flat().join(', ')}`]],
  ['regexp', ['FORMAT', () => 'does not match the required pattern']],
])

/** Formats the rules of mongoose again, since their messages quote the value. */
function toIssue([path, { name, kind, value, message, properties }]: [string, PathError]): Issue {
  const keys = path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
  if (name === 'CastError') return { path: keys, code: 'TYPE', message: `must be of type ${kind}` }
  const rule = RULES.get(kind)
  // The default message of a validator quotes the value.
  const text = String(message).startsWith('Validator failed for path') ? '' : String(message)
  if (!rule) return { path: keys, code: 'INVALID', message: redactDetail(value, text, 'INVALID') }
  const [code, detail] = rule
  return { path: keys, code, message: detail(properties ?? {}) }
}
