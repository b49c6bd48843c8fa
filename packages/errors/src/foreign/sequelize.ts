import type { RecognizedError } from '../classification.ts'
import type { Issue } from '../issue.ts'
import { redactDetail } from '../issue-details.ts'
import { toEntries, VALIDATION_FAILED } from '../issues.ts'
import { CONFLICT, DUPLICATE } from './constraint.ts'
import { fromDatabase } from './database.ts'
import { RETRY_LATER } from './network.ts'

const NAMES = new Map<unknown, RecognizedError>([
  ['SequelizeUniqueConstraintError', DUPLICATE],
  ['SequelizeExclusionConstraintError', CONFLICT],
  ['SequelizeOptimisticLockError', CONFLICT],
  ['SequelizeEmptyResultError', { status: 404 }],
  ['SequelizeTimeoutError', RETRY_LATER],
])

/** Recognizes errors of Sequelize by their names; `original` is the error of the driver. */
export function fromSequelize(error: object): RecognizedError | undefined {
  const { name, errors, original } = error as { name?: unknown; errors?: unknown; original?: unknown }
  if (typeof name !== 'string' || !name.startsWith('Sequelize')) return undefined
  if (name === 'SequelizeValidationError' && Array.isArray(errors)) {
    return { ...VALIDATION_FAILED, errors: toEntries(errors.map(toIssue), 'body') }
  }
  const byName = NAMES.get(name) ?? (/^Sequelize(Connection|Host|AccessDenied)/.test(name) ? RETRY_LATER : undefined)
  const inner = typeof original === 'object' && original !== null ? fromDatabase(original) : undefined
  return byName ?? inner ?? (name === 'SequelizeForeignKeyConstraintError' ? CONFLICT : undefined)
}

interface ValidationErrorItem {
  message?: string
  path?: string | null
  type?: string | null
  value?: unknown
  validatorKey?: string | null
}

const CODES = new Map<unknown, string>([
  ['len', 'LENGTH'],
  ['notEmpty', 'LENGTH'],
  ['min', 'RANGE'],
  ['max', 'RANGE'],
  ['isInt', 'TYPE'],
  ['isFloat', 'TYPE'],
  ['isNumeric', 'TYPE'],
  ['isDecimal', 'TYPE'],
])

function toIssue({ message = '', path, type, value, validatorKey }: ValidationErrorItem): Issue {
  const isFormat = /^(is|not)$|^is(?!In$|Null$)/.test(validatorKey ?? '')
  const code =
    type === 'notNull Violation'
      ? 'REQUIRED'
      : type === 'string violation'
        ? 'TYPE'
        : (CODES.get(validatorKey) ?? (isFormat ? 'FORMAT' : 'INVALID'))
  // "Validation isEmail on email failed" does not help a client.
  const detail = /^Validation \w+ on /.test(message) ? '' : redactDetail(value, message, code)
  return { path: path ? [path] : [], code, message: detail || redactDetail(undefined, '', code) }
}
