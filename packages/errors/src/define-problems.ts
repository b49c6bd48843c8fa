import { assertKnownOptions, inspectValue } from '../../internal/options.ts'
import { isCode } from './code.ts'
import { HttpError, type HttpErrorInit, isHttpErrorInstance } from './http-error.ts'
import type { SchemaInput, SchemaOutput, StandardSchema } from './standard-schema.ts'
import { isErrorStatus } from './status.ts'

/** A problem type of an API. */
export interface ProblemDefinition {
  /** 400 to 599. */
  status: number
  /** @defaultValue the name in UPPER_SNAKE: `outOfCredit` is `OUT_OF_CREDIT` */
  code?: string
  /** Human-readable name of the problem type. @defaultValue the reason phrase of the status */
  title?: string
  /** Default message. @defaultValue a sentence of the status */
  message?: string
  /** An absolute URI. @defaultValue built from `problemBaseUrl` and the code */
  type?: string
  /** Schema of the extension members, which validates and types them. */
  extensions?: StandardSchema
}

/** Options for one occurrence of a problem. */
export interface ProblemInit extends Pick<HttpErrorInit, 'headers' | 'retryAfter' | 'errors' | 'cause' | 'params'> {
  /** @defaultValue the message of the definition */
  message?: string
}

/**
 * An error of a problem type. Its status is a literal type, and its extension members are those of
 * the schema.
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
  /**
   * The code of every error of this type: that of the definition, or its name in UPPER_SNAKE case.
   */
  readonly code: string
  /** The definition of this type. */
  readonly definition: D
  /** Returns whether an error is of this type. */
  is(error: unknown): error is ProblemError<D>
}

/** The problem types by name. */
export type ProblemCatalog<D extends Record<string, ProblemDefinition>> = {
  readonly [Name in keyof D]: ProblemKind<D[Name]>
}

/**
 * Defines the problem types of an API with their statuses, messages and extension members. Throws a
 * `TypeError` if a definition is not valid.
 *
 * @example
 * const problems = defineProblems({ outOfCredit: { status: 403, extensions: z.object({ balance: z.number() }) } })
 * throw problems.outOfCredit({ balance: 3 })
 */
export function defineProblems<const D extends Record<string, ProblemDefinition>>(definitions: D): ProblemCatalog<D> {
  const kinds = Object.entries(definitions).map(([name, definition]) => [name, createKind(name, definition)])
  return Object.freeze(Object.fromEntries(kinds)) as ProblemCatalog<D>
}

const KNOWN = [
  'status',
  'code',
  'title',
  'message',
  'type',
  'extensions',
] as const satisfies (keyof ProblemDefinition)[]

function createKind(name: string, definition: ProblemDefinition): ProblemKind {
  const { status, title, message, type, extensions: schema } = definition
  assertKnownOptions(`errors: problem "${name}"`, definition, KNOWN)
  if (!isErrorStatus(status))
    throw new TypeError(`errors: status of "${name}" must be 400 to 599, got ${inspectValue(status)}`)
  if (type !== undefined && !URL.canParse(type))
    throw new TypeError(`errors: type of "${name}" must be an absolute URI, got ${inspectValue(type)}`)
  const code = definition.code ?? name.replace(/[A-Z]/g, '_$&').toUpperCase()
  if (!isCode(code))
    throw new TypeError(`errors: code of "${name}" must be in UPPER_SNAKE case, got ${inspectValue(code)}`)
  const constants = { code, ...(title !== undefined && { title }), ...(type !== undefined && { type }) }

  const make = (...args: unknown[]): HttpError => {
    const [extensions, init] = schema ? [checked(schema, args[0], name), args[1]] : [undefined, args[0]]
    const { message: own = message, ...rest }: ProblemInit = init ?? {}
    // What a problem defines is for clients, also from 500 on.
    return new HttpError(status, own, {
      ...rest,
      ...constants,
      expose: true,
      ...(extensions && { extensions, params: rest.params ?? extensions }),
    })
  }
  const is = (error: unknown): error is HttpError =>
    isHttpErrorInstance(error) && error.code === code && error.status === status
  return Object.assign(make, { status, code, definition, is })
}

const RESERVED = ['type', 'title', 'status', 'detail', 'instance', 'code', 'timestamp', 'path', 'errors']

/**
 * The members as the schema gives them back. Names as RFC 9457 §3.2 asks for, so that they can be
 * XML too.
 */
function checked(schema: StandardSchema, value: unknown, name: string): Readonly<Record<string, unknown>> {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) throw new TypeError(`errors: the schema of "${name}" must not be asynchronous`)
  if (result.issues) throw new TypeError(`errors: members of "${name}": ${result.issues[0]?.message}`)
  const members = result.value
  if (typeof members !== 'object' || members === null)
    throw new TypeError(`errors: members of "${name}" must be an object`)
  for (const member of Object.keys(members)) {
    if (RESERVED.includes(member) || !/^[A-Za-z][A-Za-z0-9_]*$/.test(member))
      throw new TypeError(`errors: "${name}" cannot have a member ${inspectValue(member)}`)
  }
  return members as Readonly<Record<string, unknown>>
}
