import type { RecognizedError } from '../classification.ts'
import type { Issue } from '../issue.ts'
import { toEntries, VALIDATION_FAILED } from '../issues.ts'

/**
 * Recognizes errors of schema libraries: `issues` (zod, valibot and others with Standard Schema) or
 * `arkErrors` (arktype).
 */
export function fromSchema(error: object): RecognizedError | undefined {
  const { issues, arkErrors } = error as { issues?: unknown; arkErrors?: unknown }
  const list = issues ?? arkErrors
  if (!Array.isArray(list) || list.length === 0 || !list.every(isIssue)) return undefined
  return { ...VALIDATION_FAILED, errors: toEntries(list, 'body') }
}

function isIssue(value: unknown): value is Issue {
  if (typeof value !== 'object' || value === null) return false
  const { message, path } = value as Partial<Record<string, unknown>>
  return typeof message === 'string' && (path === undefined || Array.isArray(path))
}
