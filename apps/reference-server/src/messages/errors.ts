import { type ErrorEntry, type HttpError, type HttpErrorInit, httpError } from '@svc/errors'
import { CODES, type Code, type ValueCode } from './codes.ts'
import { codeOfKey, formatMessage, isMessage, type Message, type MessageKey, message, type Params } from './messages.ts'

/** A message of a failure: it begins with its code. */
export type FailureKey = Extract<MessageKey, Code | `${Code}.${string}`>

/** A message about one value, which says what is wrong with it: `must be at least 3`. */
export type ProblemKey = Extract<MessageKey, `${Code | ValueCode}.${string}`>

/** What is wrong with one value. */
export interface Problem {
  /** JSON Pointer into the body; empty for all of it, or for what stands elsewhere. */
  pointer: string
  key: ProblemKey
  params?: Params
  /** A question or a sentence that follows. */
  hint?: Message | undefined
  /** @defaultValue `body` */
  location?: ErrorEntry['location']
  /** Name of what is not in the body: a parameter, a header. @defaultValue follows from `pointer` */
  field?: string
}

type FailureInit = Omit<HttpErrorInit, 'code' | 'params' | 'errors'> & { status?: number }

/** Makes the failure that a message belongs to, with the status of its code. Its text is in no language yet. */
export function failure(key: FailureKey, params?: Params, init: FailureInit = {}): HttpError {
  return failureOf(codeOfKey(key) as Code, message(key, params), init)
}

/** As `failure`, with the place in the body that it is about: the one entry of `errors`. */
export function failureAt(pointer: string, key: Extract<FailureKey, ProblemKey>, params?: Params): HttpError {
  const problem: Problem = { pointer, key, ...(params && { params }) }
  return failureOf(codeOfKey(key) as Code, message(key, params), {}, [toEntry(problem)])
}

const MAX_PROBLEMS = 50

/** A request whose values are wrong: 400 for syntax, 422 for business rules, 409 for the current state. */
export function invalid(status: 400 | 409 | 422, code: Code, problems: readonly Problem[]): HttpError {
  const [first] = problems
  if (!first) return failure('VALIDATION_FAILED', undefined, { status })
  const sentences = [toHeadline(first)]
  if (first.hint) sentences.push(first.hint)
  if (problems.length > 1) sentences.push(message('headline.more', { count: problems.length - 1 }))
  return failureOf(code, sentences, { status }, problems.slice(0, MAX_PROBLEMS).map(toEntry))
}

/** The problems that an error was made of, to make another one of them. */
export function problemsIn({ errors = [] }: Pick<HttpError, 'errors'>): Problem[] {
  return errors.flatMap(({ params }) => (params?.['problem'] ? [params['problem'] as Problem] : []))
}

/** A parameter of the query is wrong. */
export function parameterProblem(name: string, key: ProblemKey, params?: Params, hint?: Message): Problem {
  return { pointer: '', location: 'query', field: name, key, ...(params && { params }), ...(hint && { hint }) }
}

/** One parameter of the query is wrong: 400. */
export function badParameter(name: string, key: ProblemKey, params?: Params, hint?: Message): HttpError {
  return badParameters([parameterProblem(name, key, params, hint)])
}

/** Parameters of the query are wrong: 400, with the code of the first. */
export function badParameters(problems: readonly Problem[]): HttpError {
  const code = codeOfKey(problems[0]?.key ?? 'INVALID_PARAMETER') as Code
  return invalid(400, code in CODES ? code : 'INVALID_PARAMETER', problems)
}

/** The item changed while this request was in progress: 412. */
export function preconditionFailed(): HttpError {
  return failure('PRECONDITION_FAILED')
}

/** A name of the API, such as the item of a collection, as people of each language call it. */
export function noun(name: string): Message | string {
  const named = { key: `noun.${name}` }
  return isMessage(named) ? named : name
}

function failureOf(
  code: Code,
  said: Message | readonly Message[],
  { status = CODES[code].status, ...init }: FailureInit,
  errors?: readonly ErrorEntry[],
): HttpError {
  const text = formatMessage(said, 'en')
  return httpError(status, text, { expose: true, ...init, code, params: { message: said }, ...(errors && { errors }) })
}

function toEntry(problem: Problem): ErrorEntry {
  const { pointer, key, location = 'body', field = pointer.slice(1).replaceAll('/', '.') } = problem
  const said = toDetail(problem)
  const detail = formatMessage(said, 'en')
  return { pointer, location, field, code: codeOfKey(key), detail, params: { message: said, problem } }
}

function toDetail({ key, params, hint }: Problem): Message {
  const detail = message(key, params)
  return hint ? message('headline.hinted', { detail, hint }) : detail
}

function toHeadline({ pointer, key, params, location = 'body', field = '' }: Problem): Message {
  const detail = message(key, params)
  if (location === 'query') return message('headline.parameter', { where: field, detail })
  if (location === 'header') return message('headline.header', { where: field, detail })
  return pointer === '' ? message('headline.body', { detail }) : message('headline.value', { where: pointer, detail })
}
