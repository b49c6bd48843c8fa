import type { MaybePromise } from '@svc/errors'
import type { LinkEntry } from '@svc/hal'
import type { Connection, Id } from '../database/connection.ts'
import type { Code } from '../messages/codes.ts'
import { invalid, noun, type ProblemKey } from '../messages/errors.ts'
import { codeOfKey, type Params } from '../messages/messages.ts'
import type { Caller, Lift } from '../security/caller.ts'
import { type Field, flag, type ValueOf } from './fields.ts'
import { computed, hidden } from './modifiers.ts'

export type Fields = Readonly<Record<string, Field>>

/** The values of fields. */
export type ValuesOf<F extends Fields> = { -readonly [K in keyof F]: ValueOf<F[K]> }

/** An item of a collection: its fields, an id and what the server keeps about it. */
export type ItemOf<F extends Fields> = ValuesOf<F> & Kept

export interface Kept {
  id: Id
  /** Counts the changes: what If-Match compares. */
  revision: number
  updatedAt: string
}

/** An item where its collection does not matter. */
export type Item = Kept & Record<string, unknown>

/** What links and their conditions are told. */
export interface LinkContext {
  base: string
  caller: Caller | undefined
  can(scope: string): boolean
  /** Whether GET answers this path to the caller; the path may be a template. */
  mayFollow(path: string): boolean
}

/** What a hook works with: the transaction of the change, who makes it, and when. */
export interface ChangeContext {
  db: Connection
  caller: Caller | undefined
  now: string
}

/** How answers may be kept: by everybody, by the client after asking again, by nobody. */
export type CacheClass = 'catalogue' | 'private' | 'never'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Another path to the items of a collection: `/customers/{customerId}/orders`. */
export interface View {
  path: string
  /** Collection that the path variable names: 404 where the parent does not exist. */
  parent: string
  /** SQL condition with one `?` for the variable. @defaultValue the field of the variable's name */
  condition?: string
  methods: readonly Method[]
}

export interface Hooks<T> {
  /** Loads fields that have no column, for a whole page at once. */
  load?(db: Connection, items: T[]): MaybePromise<void>
  /** Sets what the server decides and checks the rules of the business, before an item is written. */
  prepare?(next: T, previous: T | undefined, work: ChangeContext): Promise<void> | void
  /** Writes what has no column, after the item was. */
  saved?(item: T, previous: T | undefined, work: ChangeContext): Promise<void>
  /** Checks and clears before an item is deleted. */
  removing?(item: T, work: ChangeContext): Promise<void> | void
  /** Brings what depends on an item up to date, after it was deleted. */
  removed?(item: T, work: ChangeContext): Promise<void>
}

/** Whose an item is: who is confined to their own sees and changes no other. */
export interface Owner<Name extends string = string> {
  /** What of the caller is compared. */
  is: 'customerId' | 'userId'
  /** The field that holds it. */
  field?: Name
  /** If no field holds it: an SQL condition, each `?` of which is the caller's. */
  condition?: string
  /** The same for items that are written. @defaultValue `condition` */
  writeCondition?: string
  /** What lets a caller read and write items of other users. A role belongs to `write` only if it may write. */
  liftedBy: Readonly<Record<Access, Lift>>
}

/** Rows of a table that refer to an item: as long as there is one, the item cannot be deleted. */
export interface Usage<Name extends string = string> {
  table: string
  column: string
  /** The field that the column holds. @defaultValue the id */
  field?: Name
}

/** What is done with an item. */
export type Access = 'read' | 'write'

export interface Definition<F extends Fields> {
  /** Plural, as in the path: `employees`. */
  name: string
  /** Singular: `employee`. */
  item: string
  /** What its items are, in a sentence. */
  description: string
  /** An item of the seed data. */
  example: Readonly<Partial<ItemOf<F>>> & { id: Id }
  /** @defaultValue `/<name>`; with a variable for the parent: `/products/{productId}/reviews` */
  path?: string
  /** Collection that the variable of `path` names. */
  parent?: string
  /** @defaultValue the name */
  table?: string
  fields: F
  /** Fields that can be sorted by: each has its index. */
  sort: readonly (keyof F & string)[]
  /** Fields that can be filtered by. */
  filters: readonly (keyof F & string)[]
  /** Collections that fields refer to: unknown ids are 422. */
  references?: { readonly [K in keyof F]?: string }
  /** Fields that hold whose an item is that a reference names, by the field of the reference. */
  owners?: { readonly [K in keyof F]?: keyof F & string }
  links?: Record<string, LinkEntry<ItemOf<F>, LinkContext>>
  /** What must not refer to an item that is deleted: without these there is a link to delete it. @defaultValue none */
  usedBy?: readonly Usage<keyof F & string>[]
  /** Whether items can be added below this parent: then there is a form. @defaultValue always */
  createWhen?(parent: Item): boolean
  views?: readonly View[]
  cache: CacheClass
  /** What reading needs. @defaultValue `<name>:read` */
  read?: 'anybody'
  /** What stands before `:read` and `:write`. @defaultValue the name */
  scope?: string
  /** Field that says whose an item is, and what of the caller it holds. */
  owner?: Owner<(keyof F & string) | 'id'>
  /** @defaultValue all */
  methods?: readonly Method[]
  /** Whether POST needs an Idempotency-Key. @defaultValue 'optional' */
  idempotency?: 'required' | 'optional'
  /** Whether POST can be done after its answer, where the client prefers that. @defaultValue false */
  defers?: boolean
  /** Other collections that its changes change too. @defaultValue none */
  affects?: readonly string[]
  /** Ids that clients of SOAP may bring: 64 bits. @defaultValue false */
  longIds?: boolean
  hooks?: Hooks<ItemOf<F>>
}

/** A declared collection, with its defaults filled in. `F` types its stored items. */
export interface Collection<F extends Fields = Fields> {
  name: string
  item: string
  description: string
  example: Readonly<Record<string, unknown>> & { id: Id }
  path: string
  parent: string | undefined
  table: string
  fields: F
  sort: readonly string[]
  filters: readonly string[]
  references: Readonly<Record<string, string>>
  owners: Readonly<Record<string, string>>
  links: Record<string, LinkEntry<Item, LinkContext>>
  createWhen?: (parent: Item) => boolean
  views: readonly View[]
  cache: CacheClass
  publicRead: boolean
  scope: string
  owner: Owner | undefined
  methods: readonly Method[]
  idempotency: 'required' | 'optional'
  defers: boolean
  affects: readonly string[]
  longIds: boolean
  hooks: Hooks<Item>
}

const ALL: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Declares a collection: everything that the service does with it follows from this. */
export function collection<const F extends Fields>(definition: Definition<F>): Collection<F> {
  const { name, table = name, usedBy = [], links = {}, hooks = {} } = definition
  return {
    ...definition,
    fields: usedBy.length === 0 ? definition.fields : { ...definition.fields, [IN_USE]: usageOf(table, usedBy) },
    path: definition.path ?? `/${name}`,
    parent: definition.parent,
    table,
    references: (definition.references ?? {}) as Record<string, string>,
    owners: (definition.owners ?? {}) as Record<string, string>,
    // Inside its own declaration a collection knows its item; everywhere else an item is a record of fields.
    links: links as unknown as Collection['links'],
    hooks: hooks as unknown as Hooks<Item>,
    views: definition.views ?? [],
    publicRead: definition.read === 'anybody',
    scope: definition.scope ?? name,
    owner: definition.owner,
    methods: definition.methods ?? ALL,
    idempotency: definition.idempotency ?? 'optional',
    defers: definition.defers ?? false,
    affects: definition.affects ?? [],
    longIds: definition.longIds ?? false,
  }
}

/** The field of items that others refer to. Reading it takes no query of its own. */
export const IN_USE = 'isInUse'

function usageOf(table: string, usedBy: readonly Usage[]): Field {
  const uses = usedBy.map(
    ({ table: other, column, field = 'id' }) =>
      `exists (select 1 from "${other}" as "referrer" where "referrer"."${column}" = "${table}"."${field}")`,
  )
  return hidden(computed(flag(), `case when ${uses.join(' or ')} then 1 else 0 end`))
}

/** What a document works with: it may write items of collections, by their rules. */
export interface DocumentContext extends ChangeContext {
  insert(collection: string, values: Readonly<Record<string, unknown>>): Promise<Item>
  /** Changes the parent. */
  change(values: Readonly<Record<string, unknown>>): Promise<Item>
}

export type DocumentValue = Readonly<Record<string, unknown>>

/** Declaration of a document below an item that is not a collection, such as the invoice of an order. */
export interface DocumentDefinition<F extends Fields, P extends Fields> {
  /** Name of its root in XML, and what formats of its own know it by. */
  name: string
  /** With `{id}` for the parent: `/orders/{id}/invoice`. */
  path: string
  parent: Collection<F>
  /** What reading needs. */
  scope: string
  cache: CacheClass
  /** Collections beside that of the parent that it is made of. @defaultValue none */
  groups?: readonly string[]
  /** `undefined`: the parent is in no state to have one, 404. */
  read(parent: ItemOf<F>, db: Connection): MaybePromise<DocumentValue | undefined>
  /** One line about reading it: `Get the invoice of an order`. */
  summary: string
  /** The same in sentences. */
  description: string
  /** Fields of what `read` returns. */
  gives: Fields
  /** What `read` returns for the example of the parent, or for an item of the seed data in the right state. */
  example: DocumentValue
  /** Relations beside `self`, as paths. */
  links?(parent: ItemOf<F>): Readonly<Record<string, string>>
  /** What POST does. */
  post?: {
    /** Name of its method in a generated client: `payOrder`. */
    operationId: string
    summary: string
    description: string
    scope: string
    fields: P
    /** A body that it accepts. */
    example: DocumentValue
    /** Whether it needs an Idempotency-Key. @defaultValue 'optional' */
    idempotency?: 'required' | 'optional'
    /** Whether the parent is in a state for it: then there is a form. @defaultValue always */
    when?(parent: ItemOf<F>): boolean
    run(parent: ItemOf<F>, values: Readonly<ValuesOf<P>>, work: DocumentContext): Promise<unknown>
  }
}

/** A declared document. */
export interface Document extends Omit<DocumentDefinition<Fields, Fields>, 'parent' | 'read' | 'links' | 'post'> {
  /** Name of the collection of its parent. */
  parent: string
  read(parent: Item, db: Connection): MaybePromise<DocumentValue | undefined>
  links?(parent: Item): Readonly<Record<string, string>>
  post?: Omit<NonNullable<DocumentDefinition<Fields, Fields>['post']>, 'when' | 'run'> & {
    when?(parent: Item): boolean
    run(parent: Item, values: Readonly<Record<string, unknown>>, work: DocumentContext): Promise<unknown>
  }
}

/** Declares a document: its routes, representations and documentation follow from this. */
export function document<F extends Fields, const P extends Fields>(definition: DocumentDefinition<F, P>): Document {
  // Inside its own declaration a document knows its parent; everywhere else an item is a record of fields.
  return { ...definition, parent: definition.parent.name } as Document
}

/** The value is of the right shape and breaks a rule of the business: 422. */
export function rejectValue(key: Extract<ProblemKey, `${Code}.${string}`>, pointer: string, params?: Params): never {
  throw invalid(422, codeOfKey(key) as Code, [{ pointer, key, ...(params && { params }) }])
}

/** Another item has the value already, and it must be unique: 409. */
export function rejectDuplicate(item: string, field: string): never {
  throw invalid(409, 'DUPLICATE_VALUE', [
    { pointer: `/${field}`, key: 'DUPLICATE_VALUE.field', params: { item: noun(item) } },
  ])
}

/** The value has not the shape that it must have: 400. */
export function rejectSyntax(key: ProblemKey, pointer: string): never {
  throw invalid(400, 'VALIDATION_FAILED', [{ pointer, key }])
}
