export type { MaybePromise } from '../../internal/maybe-promise.ts'
export type { Middleware, Next } from '../../internal/middleware.ts'
export type { Classification } from './classification.ts'
export { classify } from './classify.ts'
export {
  defineProblems,
  type ProblemCatalog,
  type ProblemDefinition,
  type ProblemError,
  type ProblemInit,
  type ProblemKind,
} from './define-problems.ts'
export type { ErrorContext, Severity } from './error-context.ts'
export {
  type ErrorHeaders,
  HttpError,
  type HttpErrorInit,
  type HttpErrorLike,
  httpError,
  httpErrorValue,
  isHttpError,
} from './http-error.ts'
export type { Issue } from './issue.ts'
export type { ErrorEntry, ErrorLocation } from './issues.ts'
export type { LogEntry } from './log.ts'
export { type ErrorMiddleware, errors } from './middleware.ts'
export { type MethodNotAllowedOptions, methodNotAllowed, notFound } from './not-found.ts'
export type { ErrorResponse, ErrorsOptions } from './options.ts'
export { type Problem, type ToProblemOptions, toProblem } from './problem.ts'
export { type ErrorRecord, type ToRecordOptions, toRecord } from './record.ts'
export type { RoutedApp } from './routes.ts'
export type { StandardSchema } from './standard-schema.ts'
export { type ValidationErrorInit, validationError } from './validation-error.ts'
export { wrap } from './wrap.ts'
