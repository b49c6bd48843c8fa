import { type ErrorEntry, type HttpError, type HttpErrorInit, httpErrorValue } from '@svc/errors'
import remedies from './codes.json' with { type: 'json' }
import {
  codeOfKey,
  formatMessage,
  isMessageKey,
  listNames,
  type Message,
  type MessageKey,
  message,
  messageKeys,
  type Params,
} from './messages.ts'
import sampleValues from './samples.json' with { type: 'json' }

/** Remedies of a client for errors. Their texts are in the message catalogs. */
type Remedy = keyof typeof remedies

/** Every code that the service sends in an Error record. Other codes do not compile. */
export type Code = { [R in Remedy]: keyof (typeof remedies)[R] }[Remedy]

interface CodeInfo {
  /** The status that it is sent with, unless a rule of HTTP asks for another one. */
  status: number
  remedy: Remedy
}

const entries = listNames(remedies).flatMap((remedy) =>
  Object.entries(remedies[remedy]).map(([code, status]): [string, CodeInfo] => [code, { status, remedy }]),
)

/** Status and remedy of each code, in alphabetical order. */
export const CODES = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) as Readonly<
  Record<Code, CodeInfo>
>

/** Whether the service sends errors with this code. */
export function isCode(code: string): code is Code {
  return Object.hasOwn(CODES, code)
}

/** Codes of single values in `errors`, in addition to those above. */
export const VALUE_CODES = ['FORMAT', 'LENGTH', 'RANGE', 'READ_ONLY', 'REQUIRED', 'TYPE', 'UNKNOWN', 'VALUE'] as const

export type ValueCode = (typeof VALUE_CODES)[number]

/** A message of a failure: it begins with its code. */
export type FailureKey = Extract<MessageKey, Code | `${Code}.${string}`>

/** A message about one value, which says what is wrong with it: `must be at least 3`. */
export type ProblemKey = Extract<MessageKey, `${Code | ValueCode}.${string}`>

export interface Problem {
  /** JSON Pointer into the body. Empty for all of it, and for values that are not in the body. */
  pointer: string
  key: ProblemKey
  params?: Params | undefined
  /** A question or a sentence that follows. */
  hint?: Message | undefined
  /** @defaultValue `body` */
  location?: ErrorEntry['location']
  /** Name of a parameter or header. @defaultValue follows from `pointer` */
  field?: string
}

type FailureInit = Omit<HttpErrorInit, 'code' | 'params'>

/** Creates an error from a message, which is not localized yet. Its code names the usual status. */
export function failure(key: FailureKey, params?: Params, init?: FailureInit, status?: number): HttpError {
  return createFailure(codeOfKey(key), message(key, params), init, status)
}

/** Creates the error of a message about one place in the body, the only entry of `errors`. */
export function failureAt(pointer: string, key: Extract<FailureKey, ProblemKey>, params?: Params): HttpError {
  return failure(key, params, { errors: [toEntry({ pointer, key, params })] })
}

/** Errors of one request that are described. */
export const MAX_PROBLEMS = 50

/** Creates the error of invalid values: 400 syntax, 422 business rules, 409 state. */
export function invalid(status: 400 | 409 | 422, code: Code, problems: readonly Problem[]): HttpError {
  const [first] = problems
  if (!first) return failure('VALIDATION_FAILED', undefined, undefined, status)
  const sentences = [toHeadline(first)]
  if (first.hint) sentences.push(first.hint)
  if (problems.length > 1) sentences.push(message('headline.more', { count: problems.length - 1 }))
  return createFailure(code, sentences, { errors: problems.slice(0, MAX_PROBLEMS).map(toEntry) }, status)
}

/** Rejects a value that breaks a rule of the domain with 422. */
export function rejectValue(key: Extract<ProblemKey, `${Code}.${string}`>, pointer: string, params?: Params): never {
  throw invalid(422, codeOfKey(key), [{ pointer, key, params }])
}

/** Creates the 409 for a value that must be unique and that another item has. */
export function duplicate(item: string, field: string): HttpError {
  return invalid(409, 'DUPLICATE_VALUE', [
    { pointer: `/${field}`, key: 'DUPLICATE_VALUE.field', params: { item: noun(item) } },
  ])
}

/** Rejects a value that has the wrong shape with 400. */
export function rejectSyntax(key: ProblemKey, pointer: string): never {
  throw invalid(400, 'VALIDATION_FAILED', [{ pointer, key }])
}

/** Returns the problems that an error was created from, to create another one. */
export function problemsIn({ errors = [] }: Pick<HttpError, 'errors'>): Problem[] {
  return errors.flatMap(({ params }) => (params?.['problem'] ? [params['problem'] as Problem] : []))
}

/** Returns the problem of a query parameter. */
export function parameterProblem(name: string, key: ProblemKey, params?: Params, hint?: Message): Problem {
  return { pointer: '', location: 'query', field: name, key, params, hint }
}

/** Creates the 400 for one query parameter. */
export function badParameter(name: string, key: ProblemKey, params?: Params, hint?: Message): HttpError {
  return badParameters([parameterProblem(name, key, params, hint)])
}

/** Creates the 400 for query parameters, with the code of the first. */
export function badParameters(problems: readonly Problem[]): HttpError {
  const code = codeOfKey(problems[0]?.key ?? 'INVALID_PARAMETER')
  return invalid(400, isCode(code) ? code : 'INVALID_PARAMETER', problems)
}

const samples = sampleValues.params as Params
const pointers: Readonly<Partial<Record<Code, string>>> = sampleValues.pointers
const problems = sampleValues.problems as Readonly<Partial<Record<Code, Problem>>>

/** Creates an error with this code, by default from the first message that begins with the code. */
export function createExample(code: Code): HttpError {
  const problem = problems[code]
  if (problem) return invalid(CODES[code].status === 422 ? 422 : 400, code, [problem])
  const said = message(messageKeys.find((name) => name.startsWith(`${code}.`)) ?? code, samples)
  if (!isProblem(said)) return createFailure(code, said)
  const status = CODES[code].status === 409 ? 409 : 422
  return invalid(status, code, [{ pointer: pointers[code] ?? '', ...said }])
}

// A message about one value has no full stop.
function isProblem(said: Message): said is Message & { key: ProblemKey } {
  return said.key.includes('.') && !/[.?]$/.test(formatMessage(said, 'en'))
}

/** Returns the message for a name of the API, such as the item of a collection. */
export function noun(name: string): Message | string {
  const key = `noun.${name}`
  return isMessageKey(key) ? message(key) : name
}

function createFailure(
  code: Code,
  said: Message | readonly Message[],
  init?: FailureInit,
  status = CODES[code].status,
): HttpError {
  const named = { code, expose: true, params: { message: said } }
  // It may be thrown as well: `errors()` treats both alike.
  return httpErrorValue(status, formatMessage(said, 'en'), init ? { ...named, ...init } : named)
}

function toEntry(problem: Problem): ErrorEntry {
  const { pointer, key, params, hint, location = 'body', field = pointer.slice(1).replaceAll('/', '.') } = problem
  const sentence = message(key, params)
  const said = hint ? message('headline.hinted', { detail: sentence, hint }) : sentence
  const detail = formatMessage(said, 'en')
  return { pointer, location, field, code: codeOfKey(key), detail, params: { message: said, problem } }
}

function toHeadline({ pointer, key, params, location = 'body', field = '' }: Problem): Message {
  const detail = message(key, params)
  if (location === 'query') return message('headline.parameter', { where: field, detail })
  if (location === 'header') return message('headline.header', { where: field, detail })
  return pointer === '' ? message('headline.body', { detail }) : message('headline.value', { where: pointer, detail })
}
