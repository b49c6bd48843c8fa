import { type ErrorEntry, type HttpError, httpError } from '@svc/errors'

/** What is wrong with one value. */
export interface Problem {
  /** JSON Pointer; empty for the whole body. */
  pointer: string
  code: string
  detail: string
  location?: ErrorEntry['location']
}

const MAX_PROBLEMS = 50

/** A request whose values are wrong: 400 for shape, 422 for rules of the business. */
export function invalid(status: 400 | 422, code: string, problems: readonly Problem[]): HttpError {
  const first = problems[0]
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  const where = first && first.pointer !== '' ? `${first.pointer} ` : ''
  const message = first ? `${where}${first.detail}${more}.` : 'The request is not valid.'
  const errors = problems.slice(0, MAX_PROBLEMS).map(entryOf)
  return httpError(status, message, { code, errors })
}

function entryOf({ pointer, code, detail, location = 'body' }: Problem): ErrorEntry {
  return { pointer, location, field: pointer.slice(1).replaceAll('/', '.'), code, detail }
}

/** The request does not fit the state that is there: 409. */
export function conflict(code: string, message: string): HttpError {
  return httpError(409, message, { code })
}

/** A parameter of the query is wrong: 400. */
export function badParameter(name: string, detail: string, code = 'INVALID_PARAMETER'): HttpError {
  const errors: ErrorEntry[] = [{ pointer: '', location: 'query', field: name, code, detail }]
  return httpError(400, `The parameter ${name} ${detail}.`, { code, errors })
}

/** There is nothing of this name: 404. */
export function notFound(message: string): HttpError {
  return httpError(404, message, { code: 'NOT_FOUND' })
}

/** The item changed while this request was at work: 412. */
export function preconditionFailed(): HttpError {
  return httpError(412, 'The resource has changed in the meantime: load it again.', { code: 'PRECONDITION_FAILED' })
}

/** The caller is known and may not do this: 403. */
export function forbidden(message: string): HttpError {
  return httpError(403, message, { code: 'FORBIDDEN' })
}
