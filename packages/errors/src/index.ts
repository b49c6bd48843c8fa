export { type Classification, classify } from './classify.ts'
export {
  defineProblems,
  type ProblemCatalog,
  type ProblemDefinition,
  type ProblemError,
  type ProblemInit,
  type ProblemKind,
} from './define-problems.ts'
export {
  type ErrorHeaders,
  HttpError,
  type HttpErrorInit,
  type HttpErrorShape,
  httpError,
  isHttpError,
} from './http-error.ts'
export type { ErrorEntry, ErrorLocation, Issue } from './issues.ts'
export type { LogEntry, Severity } from './log.ts'
export { type ErrorMiddleware, errors } from './middleware.ts'
export { type MethodNotAllowedOptions, methodNotAllowed, notFound } from './not-found.ts'
export type { ErrorContext, ErrorResponse, ErrorsOptions } from './options.ts'
export { type Problem, type ProblemOccurrence, toProblem } from './problem.ts'
export { type ErrorRecord, type Occurrence, toRecord } from './record.ts'
export type { RoutedApp } from './routes.ts'
export type { StandardSchema } from './standard-schema.ts'
export { type ValidationErrorInit, validationError } from './validation-error.ts'
export { wrap } from './wrap.ts'
