import { assertKnownOptions, assertType, assertTypes, createArgumentError } from '../../internal/options.ts'
import { isCode } from './code.ts'
import { checkInit, HttpError, type HttpErrorInit, isHttpErrorInstance } from './http-error.ts'
import { RESERVED_MEMBERS } from './problem.ts'
import type { SchemaInput, SchemaOutput, StandardSchema } from './standard-schema.ts'
import { isErrorStatus } from './status.ts'

/** A problem type of an API. */
export interface ProblemDefinition {
  /** HTTP status, 400 to 599. */
  status: number
  /**
   * Stable name of the cause.
   * @defaultValue the name in UPPER_SNAKE: `outOfCredit` is `OUT_OF_CREDIT`
   */
  code?: string
  /** Human-readable name of the problem type. @defaultValue the reason phrase of the status */
  title?: string
  /** Default message of the errors. @defaultValue a sentence for the status */
  message?: string
  /** URI of the problem type, absolute. @defaultValue built from `problemBaseUrl` and the code */
  type?: string
  /** Schema that validates and types the extension members. */
  extensions?: StandardSchema
}

/** Options for an error of a problem type. */
export interface ProblemInit extends Pick<HttpErrorInit, 'headers' | 'retryAfter' | 'errors' | 'cause' | 'params'> {
  /** Message of the error. @defaultValue the message of the definition */
  message?: string
}

/**
 * An error of a problem type. Its status is a literal type, and its extension members have the
 * types of the schema.
 */
export type ProblemError<D extends ProblemDefinition> = HttpError<D['status']> &
  (D extends { extensions: infer S extends StandardSchema } ? { readonly extensions: SchemaOutput<S> } : unknown)

type Arguments<D extends ProblemDefinition> = D extends { extensions: infer S extends StandardSchema }
  ? [extensions: SchemaInput<S>, init?: ProblemInit]
  : [init?: ProblemInit]

/** Creates errors of one problem type. */
export interface ProblemKind<D extends ProblemDefinition = ProblemDefinition> {
  (...args: Arguments<D>): ProblemError<D>
  /** The status of every error of this type. */
  readonly status: D['status']
  /** The code of every error of this type. */
  readonly code: string
  /** The definition of this type. */
  readonly definition: D
  /** Whether an error is of this type. */
  is(error: unknown): error is ProblemError<D>
}

/** Problem types by name. */
export type ProblemCatalog<D extends Record<string, ProblemDefinition>> = {
  readonly [Name in keyof D]: ProblemKind<D[Name]>
}

/**
 * Defines the problem types of an API with their statuses, messages and extension members. Throws a
 * `TypeError` if a definition is not valid.
 *
 * @example
 * const problems = defineProblems({
 *   outOfCredit: { status: 403, extensions: z.object({ balance: z.number() }) },
 * })
 * throw problems.outOfCredit({ balance: 3 })
 */
export function defineProblems<const D extends Record<string, ProblemDefinition>>(definitions: D): ProblemCatalog<D> {
  assertType('errors: defineProblems', 'definitions', definitions, 'object')
  const kinds = Object.entries(definitions).map(([name, definition]) => [name, createKind(name, definition)])
  return Object.freeze(Object.fromEntries(kinds)) as ProblemCatalog<D>
}

const OPTIONS = [
  'status',
  'code',
  'title',
  'message',
  'type',
  'extensions',
] as const satisfies (keyof ProblemDefinition)[]
const INIT_OPTIONS: ReadonlySet<string> = new Set([
  'message',
  'headers',
  'retryAfter',
  'errors',
  'cause',
  'params',
] satisfies (keyof ProblemInit)[])

function createKind(name: string, definition: ProblemDefinition): ProblemKind {
  const owner = `errors: problem "${name}"`
  assertKnownOptions(owner, definition, OPTIONS)
  assertTypes(owner, definition, { title: 'string', message: 'string' })
  const { status, title, message, type, extensions: schema } = definition
  if (schema !== undefined && typeof schema?.['~standard']?.validate !== 'function')
    throw createArgumentError(owner, 'extensions', 'a Standard Schema', schema)
  if (!isErrorStatus(status)) throw createArgumentError(owner, 'status', '400 to 599', status)
  if (type !== undefined && !URL.canParse(type)) throw createArgumentError(owner, 'type', 'an absolute URI', type)
  const code = definition.code ?? name.replace(/[A-Z]/g, '_$&').toUpperCase()
  if (!isCode(code)) throw createArgumentError(owner, 'code', 'in UPPER_SNAKE case', code)
  const constants = { code, ...(title !== undefined && { title }), ...(type !== undefined && { type }) }

  const create = (...args: unknown[]): HttpError => {
    const extensions = schema && parseExtensions(schema, args[0], owner)
    const init = args[schema ? 1 : 0] ?? {}
    checkInit(owner, init, INIT_OPTIONS)
    const { message: text = message, ...rest }: ProblemInit = init
    // A defined problem is meant for clients, even with a status of 500 and above.
    return new HttpError(status, text, {
      ...rest,
      ...constants,
      expose: true,
      ...(extensions && { extensions, params: rest.params ?? extensions }),
    })
  }
  const is = (error: unknown): error is HttpError =>
    isHttpErrorInstance(error) && error.code === code && error.status === status
  return Object.assign(create, { status, code, definition, is })
}

/**
 * Returns the members as the schema parsed them. Their names must be valid in XML too (RFC 9457
 * §3.2).
 */
function parseExtensions(schema: StandardSchema, value: unknown, owner: string): Readonly<Record<string, unknown>> {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) throw new TypeError(`${owner}: extensions must be a synchronous schema`)
  if (result.issues) throw new TypeError(`${owner}: extensions must match the schema: ${result.issues[0]?.message}`)
  const members = result.value
  assertType(owner, 'extensions', members, 'object')
  for (const member of Object.keys(members as object)) {
    if (RESERVED_MEMBERS.has(member) || !/^[A-Za-z][A-Za-z0-9_]*$/.test(member))
      throw new TypeError(`${owner}: extensions must not have the member "${member}"`)
  }
  return members as Readonly<Record<string, unknown>>
}
