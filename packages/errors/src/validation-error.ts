import { assertKnownOptions, assertOneOf, assertType, assertTypes } from '../../internal/options.ts'
import { HttpError } from './http-error.ts'
import type { Issue } from './issue.ts'
import { type ErrorLocation, toEntries, VALIDATION_FAILED } from './issues.ts'

/** Options for `validationError()`. */
export interface ValidationErrorInit {
  /**
   * Kind of client error: `'syntax'` (structure, type, format, length) is 400, `'semantic'` (range,
   * reference, business rule) is 422. @defaultValue 'syntax'
   */
  kind?: 'syntax' | 'semantic'
  /** The part of the request that contains the values. @defaultValue 'body' */
  location?: ErrorLocation
  /** The validated value. An issue at a path that it does not have gets the code `REQUIRED`. */
  value?: unknown
  /** Code of the error. @defaultValue `VALIDATION_FAILED`, and `BUSINESS_RULE` for `'semantic'` */
  code?: string
  /** Message of the error. @defaultValue a constant sentence */
  message?: string
}

const OPTIONS = ['kind', 'location', 'value', 'code', 'message'] satisfies (keyof ValidationErrorInit)[]

/**
 * Creates the error of a failed validation from the issues of any Standard Schema library, or from
 * your own (`{ path: ['salary'], message: 'must not be negative', code: 'RANGE' }`). It lists at
 * most 50.
 *
 * @example
 * const result = schema['~standard'].validate(req.body)
 * if (result.issues) throw validationError(result.issues)
 */
export function validationError(issues: readonly Issue[], init: ValidationErrorInit = {}): HttpError<400 | 422> {
  assertType('errors: validationError', 'issues', issues, 'array')
  assertKnownOptions('errors: validationError', init, OPTIONS)
  assertTypes('errors', init, { message: 'string' })
  const { kind = 'syntax', location = 'body', value } = init
  assertOneOf('errors', 'kind', kind, ['syntax', 'semantic'])
  assertOneOf('errors', 'location', location, ['body', 'query', 'header', 'path'])
  const code = init.code ?? (kind === 'syntax' ? VALIDATION_FAILED.code : 'BUSINESS_RULE')
  const errors = toEntries(issues, location, value)
  return new HttpError(kind === 'syntax' ? 400 : 422, init.message ?? VALIDATION_FAILED.message, { code, errors })
}
