import { inspectValue } from '../../internal/options.ts'
import { HttpError } from './http-error.ts'
import type { Issue } from './issue.ts'
import { type ErrorLocation, toEntries, VALIDATION_FAILED } from './issues.ts'

/** Options for `validationError()`. */
export interface ValidationErrorInit {
  /**
   * Kind of client error: `'syntax'` (structure, type, format, length) is 400, `'semantic'` (range,
   * reference, business rule) is 422. @defaultValue `'syntax'`
   */
  kind?: 'syntax' | 'semantic'
  /** The part of the request that has the values. @defaultValue `'body'` */
  location?: ErrorLocation
  /** The validated value: an issue at a path that does not exist in it gets the code `REQUIRED`. */
  value?: unknown
  /** @defaultValue `VALIDATION_FAILED`, and `BUSINESS_RULE` for `'semantic'` */
  code?: string
  /** Message of the error. @defaultValue a sentence without values */
  message?: string
}

/**
 * Makes the error of a validation that failed, of the issues that any Standard Schema library
 * gives, or of your own (`{ path: ['salary'], message: 'must not be negative', code: 'RANGE' }`).
 * At most 50 are named.
 *
 * @example
 * const result = schema['~standard'].validate(req.body)
 * if (result.issues) throw validationError(result.issues)
 */
export function validationError(issues: readonly Issue[], init: ValidationErrorInit = {}): HttpError<400 | 422> {
  const { kind = 'syntax', location = 'body', value } = init
  if (kind !== 'syntax' && kind !== 'semantic')
    throw new TypeError(`errors: kind must be "syntax" or "semantic", got ${inspectValue(kind)}`)
  const code = init.code ?? (kind === 'syntax' ? VALIDATION_FAILED.code : 'BUSINESS_RULE')
  const errors = toEntries(issues, location, value)
  return new HttpError(kind === 'syntax' ? 400 : 422, init.message ?? VALIDATION_FAILED.message, { code, errors })
}
