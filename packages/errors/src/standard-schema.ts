import type { Issue } from './issue.ts'

/**
 * The part of Standard Schema (version 1) that this package uses. zod, valibot, arktype and many
 * others implement it.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The properties of the library: its validation, and the input and output types. */
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => Result<Output> | Promise<Result<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    /** Standard JSON Schema, if the library supports it. */
    readonly jsonSchema?: { readonly output: (options: { target: 'draft-2020-12' }) => Record<string, unknown> }
  }
}

type Result<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: ReadonlyArray<Issue> }

/** The input type of a schema. */
export type SchemaInput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input']

/** The output type of a schema. */
export type SchemaOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output']
