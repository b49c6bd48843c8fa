import type { LinkEntry } from '@svc/hal'
import type { Connection, Id } from '../database/connection.ts'
import type { MaybePromise } from '../database/maybe-promise.ts'
import type { Caller, Lift } from '../security/caller.ts'
import type { Field, Fields, ValuesOf } from './field.ts'
import { boolean } from './field-types.ts'
import type { Beforehand } from './transaction.ts'

/** Item of a collection: its fields, an id and the fields that the server maintains. */
export type ItemOf<F extends Fields> = ValuesOf<F> & ServerFields

/** Fields that the server maintains. */
export interface ServerFields {
  id: Id
  /** Number of changes, which ETags are created from. */
  revision: number
  updatedAt: string
}

/** Item of any collection. */
export type Item = ItemOf<Fields>

/** Context of links and their conditions. */
export interface LinkContext {
  base: string
  caller: Caller | undefined
  can(scope: string): boolean
  /** Whether the caller can GET this path, which may be a template. */
  mayFollow(path: string): boolean
}

/** Context of hooks: the transaction of the change, the caller and the time. */
export interface ChangeContext {
  db: Connection
  caller: Caller | undefined
  now: string
  beforehand: Beforehand
}

/** Caches that may store responses: every cache, only the client after revalidation, or none. */
export type CacheClass = 'public' | 'private' | 'never'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Path to items of a collection below an item of another: `/customers/{customerId}/orders`. */
export interface NestedPath {
  path: string
  /** Collection that the path variable names: 404 where the parent does not exist. */
  parent: string
  /** SQL condition with one `?` for the variable. @defaultValue the field of the variable's name */
  condition?: string
  methods: readonly Method[]
}

export interface Hooks<T> {
  /** Called after items were read: loads fields without a column, for all items at once. */
  load?(db: Connection, items: T[]): MaybePromise<void>
  /** Called before an item is written: sets fields of the server and checks business rules. */
  beforeSave?(next: T, previous: T | undefined, work: ChangeContext): Promise<void> | void
  /**
   * Called after an item was written: writes fields without a column, and dependent rows. Returns
   * all fields without a column as they are stored, unless they or what is computed from other rows
   * must be read again.
   */
  afterSave?(item: T, previous: T | undefined, work: ChangeContext): Promise<Partial<T> | void>
  /** Called before an item is deleted: checks business rules and deletes dependent rows. */
  beforeDelete?(item: T, work: ChangeContext): Promise<void> | void
  /** Called after an item was deleted: updates rows that depended on it. */
  afterDelete?(item: T, work: ChangeContext): Promise<void>
}

/** Owner of items: confined callers see and change only their own. */
export interface Owner<Name extends string = string> {
  /** Property of the caller that is compared. */
  is: 'customerId' | 'userId'
  /** The field that holds it. */
  field?: Name
  /** SQL condition if no field holds it. Each `?` is the value of the caller. */
  condition?: string
  /** The same for items that are written. @defaultValue `condition` */
  writeCondition?: string
  /** Roles or scopes that lift the restriction. A role belongs to `write` only if it may write. */
  liftedBy: Readonly<Record<Access, Lift>>
}

/** Rows of a table that refer to an item, which cannot be deleted as long as one exists. */
export interface Usage<Name extends string = string> {
  table: string
  column: string
  /** The field that the column holds. @defaultValue the id */
  field?: Name
}

/** Kind of access to an item. */
export type Access = 'read' | 'write'

export type ExampleItem = Readonly<Record<string, unknown>> & { id: Id }

export interface Definition<F extends Fields = Fields> {
  /** Plural, as in the path: `employees`. */
  name: string
  /** Singular: `employee`. */
  item: string
  /** Describes its items in a sentence. */
  description: string
  /** An item of the seed data. */
  example: ExampleItem
  /** @defaultValue `/<name>`; with a variable for the parent: `/products/{productId}/reviews` */
  path?: string
  /** Collection that the variable of `path` names. */
  parent?: string
  /** @defaultValue the name */
  table?: string
  fields: F
  /** Fields that can be sorted by: each has its index. */
  sort: readonly (keyof F & string)[]
  /** Fields that can be filtered by. @defaultValue those of `sort` */
  filters?: readonly (keyof F & string)[]
  /** Collections that fields refer to: unknown ids are 422. */
  references?: { readonly [K in keyof F]?: string }
  /** Fields with the owner of a referenced item, by the field of the reference. */
  owners?: { readonly [K in keyof F]?: keyof F & string }
  links?: Record<string, LinkEntry<ItemOf<F>, LinkContext>>
  /** Rows that refer to items. Unused items have a link to delete them. @defaultValue none */
  usedBy?: readonly Usage<keyof F & string>[]
  /** Whether items can be added below this parent: then there is a form. @defaultValue always */
  createWhen?(parent: Item): boolean
  nestedPaths?: readonly NestedPath[]
  cache: CacheClass
  /** Whether reading needs no scope, instead of `<scope>:read`. @defaultValue false */
  publicRead?: boolean
  /** Prefix of the scopes `:read` and `:write`. @defaultValue the name */
  scope?: string
  /** Owner of its items. @defaultValue none: callers with the scope reach all items */
  owner?: Owner<(keyof F & string) | 'id'>
  /** @defaultValue all */
  methods?: readonly Method[]
  /** Whether POST needs an Idempotency-Key. @defaultValue 'optional' */
  idempotency?: 'required' | 'optional'
  /** Whether POST can run after its response if the client prefers that. @defaultValue false */
  deferrable?: boolean
  /** Other collections that its changes change too. @defaultValue none */
  affects?: readonly string[]
  /** Whether ids have 64 bits, as SOAP clients send them. @defaultValue false */
  longIds?: boolean
  hooks?: Hooks<ItemOf<F>>
}

/** A declared collection, with its defaults filled in. `F` types its stored items. */
export interface Collection<F extends Fields = Fields> extends Filled, Pick<Definition, WithoutDefault> {
  fields: F
  references: Readonly<Record<string, string>>
  owners: Readonly<Record<string, string>>
}

type WithoutDefault = 'parent' | 'createWhen' | 'owner'

type Filled = Required<Omit<Definition, WithoutDefault | 'fields' | 'references' | 'owners' | 'usedBy'>>

const ALL: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Declares a collection: its routes, validation, links, forms and documentation. */
export function collection<const F extends Fields>(definition: Definition<F>): Collection<F> {
  const { name, table = name, fields, sort, usedBy = [] } = definition
  return {
    path: `/${name}`,
    table,
    filters: sort,
    references: {},
    owners: {},
    links: {},
    hooks: {},
    nestedPaths: [],
    publicRead: false,
    scope: name,
    methods: ALL,
    idempotency: 'optional',
    deferrable: false,
    affects: [],
    longIds: false,
    // Only its own declaration knows the names and types of its fields.
    ...(definition as Omit<Definition, 'references' | 'owners'>),
    fields: usedBy.length === 0 ? fields : { ...fields, [IN_USE]: createUsageField(table, usedBy) },
  }
}

/** Field of items that others refer to. It is computed by the query that reads the item. */
export const IN_USE = 'isInUse'

function createUsageField(table: string, usedBy: readonly Usage[]): Field {
  const uses = usedBy.map(
    ({ table: other, column, field = 'id' }) =>
      `exists (select 1 from "${other}" as "referrer" where "referrer"."${column}" = "${table}"."${field}")`,
  )
  return boolean()
    .computed(`case when ${uses.join(' or ')} then 1 else 0 end`)
    .hidden()
}

/** Context of the POST of a document, which writes items by the rules of their collections. */
export interface DocumentContext extends ChangeContext {
  insert(collection: string, values: Readonly<Record<string, unknown>>): Promise<Item>
  /** Changes the parent. */
  change(values: Readonly<Record<string, unknown>>): Promise<Item>
}

export type DocumentValue = Readonly<Record<string, unknown>>

/** Declaration of a document below an item, such as the invoice of an order. */
export interface DocumentDefinition<F extends Fields = Fields, P extends Fields = Fields> {
  /** Name of its root in XML, and its name in custom formats. */
  name: string
  /** With `{id}` for the parent: `/orders/{id}/invoice`. */
  path: string
  parent: Collection<F>
  /** Prefix of the scope that reading needs. */
  scope: string
  cache: CacheClass
  /** Other collections than that of the parent that it depends on. @defaultValue none */
  groups?: readonly string[]
  /** Returns its value, or `undefined` if the parent has none in its state: 404. */
  read(parent: ItemOf<F>, db: Connection): MaybePromise<DocumentValue | undefined>
  /** One line about reading it: `Get the invoice of an order`. */
  summary: string
  /** The same in sentences. */
  description: string
  /** Fields of what `read` returns. */
  gives: Fields
  /** Value of the example of the parent, or of an item of the seed data in the right state. */
  example: DocumentValue
  /** Relations other than `self` and the parent, as paths. */
  links?(parent: ItemOf<F>): Readonly<Record<string, string>>
  /** Whether reading it as PDF can run after the response. @defaultValue false */
  deferrable?: boolean
  /** The action of POST. */
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
    /** Whether the state of the parent allows it: then there is a form. @defaultValue always */
    when?(parent: ItemOf<F>): boolean
    run(parent: ItemOf<F>, values: Readonly<ValuesOf<P>>, work: DocumentContext): Promise<unknown>
  }
}

/** A declared document. */
export interface Document extends Omit<DocumentDefinition, 'parent' | 'links'> {
  /** Name of the collection of its parent. */
  parent: string
  /** Relations other than `self`: first the parent, by the name of its items. */
  links(parent: Item): Readonly<Record<string, string>>
}

/** Declares a document: its routes, representations and documentation follow from this. */
export function document<F extends Fields, const P extends Fields>(definition: DocumentDefinition<F, P>): Document {
  const { parent, links } = definition as DocumentDefinition
  return {
    ...definition,
    parent: parent.name,
    links: (item) => ({ [parent.item]: `${parent.path}/${item.id}`, ...links?.(item) }),
  }
}
