import type { RecognizedError } from '../classification.ts'
import type { Issue } from '../issue.ts'
import { type ErrorLocation, toEntries, VALIDATION_FAILED } from '../issues.ts'

const LOCATIONS = new Map<string, ErrorLocation>([
  ['querystring', 'query'],
  ['params', 'path'],
  ['headers', 'header'],
])

/**
 * Recognizes validation errors of Fastify: errors of Ajv (JSON Schema) for a part of the request.
 */
export function fromFastifyValidation(error: object): RecognizedError | undefined {
  const { validation, validationContext } = error as { validation?: unknown; validationContext?: unknown }
  if (!Array.isArray(validation) || typeof validationContext !== 'string') return undefined
  const issues = validation.map(toIssue)
  const location = LOCATIONS.get(validationContext) ?? 'body'
  return { ...VALIDATION_FAILED, errors: toEntries(issues, location) }
}

interface AjvError {
  instancePath?: string
  keyword?: string
  message?: string
  params?: { missingProperty?: string; additionalProperty?: string }
}

const CODES = new Map<string | undefined, string>([
  ['required', 'REQUIRED'],
  ['additionalProperties', 'UNKNOWN'],
  ['type', 'TYPE'],
  ['format', 'FORMAT'],
  ['pattern', 'FORMAT'],
  ['minLength', 'LENGTH'],
  ['maxLength', 'LENGTH'],
  ['minItems', 'LENGTH'],
  ['maxItems', 'LENGTH'],
  ['minimum', 'RANGE'],
  ['maximum', 'RANGE'],
  ['exclusiveMinimum', 'RANGE'],
  ['exclusiveMaximum', 'RANGE'],
  ['multipleOf', 'RANGE'],
])

function toIssue({ instancePath = '', keyword, message = '', params }: AjvError): Issue {
  const path = instancePath.split('/').slice(1).map(unescape)
  const member = params?.missingProperty ?? params?.additionalProperty
  return { path: member === undefined ? path : [...path, member], message, code: CODES.get(keyword) ?? 'INVALID' }
}

function unescape(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}
