import type { z } from 'zod'
import { isStored, type Stored } from '../database/connection.ts'
import type { ProblemKey } from '../messages/errors.ts'
import type { Params } from '../messages/messages.ts'
import type { Operator, RawCondition } from './conditions.ts'

/** A JSON Schema, from which OpenAPI and forms are built. */
export interface JsonSchema {
  readonly type?: string | readonly string[] | undefined
  readonly items?: JsonSchema | undefined
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined
  readonly required?: readonly string[] | undefined
  readonly enum?: readonly unknown[] | undefined
  readonly examples?: readonly unknown[] | undefined
  readonly [keyword: string]: unknown
}

/** Points to the Error record among the schemas of the OpenAPI document. */
export const errorSchema: JsonSchema = { $ref: '#/components/schemas/Error' }

/** Kind of values, by which they are compared in filters and sorted. */
export type Kind = 'text' | 'number' | 'boolean' | 'none'

/** Whether clients may set a field in new and in existing items. */
export interface Writable {
  create: boolean
  update: boolean
}

/** A broken business rule in a value. */
export interface RangeProblem {
  /** JSON Pointer from the value; empty for all of it. */
  pointer: string
  key: ProblemKey
  params?: Params
}

export type Fields = Readonly<Record<string, Field>>

/** The schema of an object with these fields, all that the service knows about it. */
export function objectSchema(fields: Readonly<Record<string, Pick<Field, 'json' | 'required'>>>): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, { json }]) => [name, json])),
    required: Object.entries(fields).flatMap(([name, { required }]) => (required ? [name] : [])),
  }
}

/** The value type of a field. */
export type ValueOf<F> = F extends Field<infer T> ? T : never

/** The values of fields. */
export type ValuesOf<F extends Fields> = { -readonly [K in keyof F]: ValueOf<F[K]> }

/** The parts of a type of fields. Those that are omitted have the defaults of `Field`. */
export type FieldType<T> = Pick<Field<T>, 'schema' | 'json'> & Partial<Field<T>>

// Methods accept a narrower type: that makes a `Field<string>` a `Field`.
interface Functions<T> {
  range(value: T): readonly RangeProblem[]
  store(value: T): readonly Stored[]
  isEqual(a: T, b: T): boolean
}

const WRITABLE: Writable = { create: true, update: true }
const READ_ONLY: Writable = { create: false, update: false }

/** Stores a value that its column can hold. */
export function storeAsIs(value: unknown): readonly Stored[] {
  if (!isStored(value)) throw new TypeError(`a column cannot hold ${typeof value}`)
  return [value]
}

/** Loads what `storeAsIs` stored. */
export function loadAsIs(value: Stored): unknown {
  return value
}

/**
 * One field of a resource: its type (400), its range (422), its columns and its schema. It never
 * changes; its methods from `describe` on return another field. All fields have the same
 * properties in the same order, which keeps the code that reads them fast.
 */
export class Field<T = unknown> {
  readonly schema!: z.ZodType<T>
  readonly json!: JsonSchema
  readonly kind: Kind = 'none'
  /** Whether its text may have several lines. */
  readonly isProse: boolean = false
  readonly required: boolean = true
  readonly writable: Writable = WRITABLE
  /** Whether it is part of representations. */
  readonly visible: boolean = true
  /** Column types by suffix; none: the field has no column of its own. */
  readonly columns: Readonly<Record<string, 'integer' | 'text' | 'long'>> = { '': 'text' }
  /** SQL that returns the value instead of a column of the table. */
  readonly select: string | undefined = undefined
  /** Suffixes of the columns that the field is sorted by. @defaultValue the first one */
  readonly sortColumns: readonly string[] | undefined = undefined
  /** Returns the business rules that a value of the right type breaks. */
  readonly range: Functions<T>['range'] | undefined = undefined
  readonly store: Functions<T>['store'] = storeAsIs
  /** Returns the value of its columns, of which there are at most two. */
  readonly load: (first: Stored, second: Stored) => T = loadAsIs as Field<T>['load']
  /** Reads the value from the text of a query parameter, an XML element or a form field. */
  readonly fromText: (text: string) => unknown = (text) => text
  /** Creates the condition of a field with a value in several columns. */
  readonly condition:
    | ((column: string, operator: Operator, texts: readonly string[]) => RawCondition | undefined)
    | undefined = undefined
  /** Whether two values are equal. @defaultValue whether their JSON is equal */
  readonly isEqual: Functions<T>['isEqual'] | undefined = undefined

  constructor(type: FieldType<T>) {
    Object.assign(this, type)
  }

  /** Adds a sentence about what it holds, and examples, for the OpenAPI document. */
  describe(description: string, ...examples: readonly T[]): Field<T> {
    return this.#with({ json: { ...this.json, description, ...(examples.length > 0 && { examples }) } })
  }

  /** May be omitted. */
  optional(): Field<T | undefined> {
    return this.#with({ required: false })
  }

  /** Only the server sets it. */
  readOnly(): Field<T> {
    return this.#with({ required: false, writable: READ_ONLY })
  }

  /** Set at creation, and never changed. */
  createOnly(): Field<T> {
    return this.#with({ writable: { create: true, update: false } })
  }

  /** Set by the server at creation. Clients can change it afterward. */
  updateOnly(): Field<T> {
    return this.#with({ required: false, writable: { create: false, update: true } })
  }

  /** Clients write it but never read it. It has no column; a hook uses its value. */
  writeOnly(): Field<T> {
    return this.#with({ json: { ...this.json, writeOnly: true }, visible: false, columns: {}, kind: 'none' })
  }

  /** For links and rules; no representation shows it. */
  hidden(): Field<T> {
    return this.#with({ visible: false, required: false, writable: READ_ONLY })
  }

  /** SQL computes its value from the row. */
  computed(select: string): Field<T> {
    return this.#with({ select, kind: 'none', required: false, writable: READ_ONLY })
  }

  /** It has no column: a hook of the collection loads and saves it. */
  withoutColumn(): Field<T> {
    return this.#with({ columns: {}, kind: 'none' })
  }

  /** Has its own comparison, since equal values may differ in their JSON. */
  comparedBy(isEqual: (a: T, b: T) => boolean): Field<T> {
    return this.#with({ isEqual })
  }

  #with(changes: Partial<Field<T>>): Field<T> {
    return new Field<T>({ ...this, ...changes })
  }
}
