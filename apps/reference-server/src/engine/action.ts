import type { HttpError } from '@svc/errors'
import { splitList } from '@svc/negotiate/headers'
import type { Connection, Database } from '../database/connection.ts'
import type { Language } from '../messages/locale.ts'
import type { Caller } from '../security/caller.ts'
import type { CompiledCollection } from './compiled-collection.ts'
import type { CacheClass, Item } from './define.ts'
import type { ActionForm, Embedded } from './hal.ts'
import type { Beforehand } from './transaction.ts'

/** Result of an action. The formats encode it for the client. */
export interface ActionResult {
  status: number
  content?: ResponseContent
  /** Stored bytes, instead of content. */
  file?: { type: string; name: string; bytes: Uint8Array }
  headers?: Readonly<Record<string, string>>
  /** Version that the ETag is created from. @defaultValue the bytes of the response */
  version?: string
  /** Milliseconds. */
  lastModified?: number
  cache: CacheClass
  /** Path of `Location`, without the version. */
  location?: string
  contentLocation?: string
}

export type ResponseContent = ItemContent | PageContent | RecordContent

export interface ItemContent {
  kind: 'item'
  shape: CompiledCollection
  item: Item
  fields?: ReadonlySet<string> | undefined
  embedded?: Embedded | undefined
}

export interface PageContent {
  kind: 'page'
  shape: CompiledCollection
  items: readonly Item[]
  /** Path of the collection, without the version. */
  path: string
  number: number
  size: number
  /** Cursors of this page and of the adjacent ones, if the client pages by cursor. */
  cursors?: { self: string; next?: string | undefined; previous?: string | undefined } | undefined
  /** Whether this is the whole collection, without adjacent pages. */
  isWhole?: true
  /** Whether no item can be added now. */
  isClosed?: true
  /** Field of the items that the path gives. */
  pathField?: string | undefined
  /** Omitted if the items were not counted. */
  totalElements?: number | undefined
  /** Filters and sort, for the links. */
  query: Readonly<Record<string, readonly string[]>>
  fields?: ReadonlySet<string> | undefined
  embedded?: Embedded | undefined
}

/** Content that is not part of a collection, such as a health report. */
export interface RecordContent {
  kind: 'record'
  /** Name of the root in XML. */
  name: string
  value: Readonly<Record<string, unknown>>
  /** Links by relation: paths without the version. */
  links?: Readonly<Record<string, string>>
  /** Form that changes it. */
  form?: ActionForm
  /** HTML page instead of a table of the values. */
  page?: RecordPage
}

/** Result of a change without content. */
export const NO_CONTENT: ActionResult = { status: 204, cache: 'never' }

/** Returns the response that shows an item. */
export function itemResult(
  status: number,
  shape: CompiledCollection,
  item: Item,
  fields?: ReadonlySet<string>,
): ActionResult {
  return {
    status,
    cache: shape.collection.cache,
    ...toItemState(item),
    content: { kind: 'item', shape, item, fields },
  }
}

/**
 * Returns the state that preconditions are compared with and ETags are built from. The time
 * distinguishes two starts of a database in memory.
 */
export function toItemState({ revision, updatedAt }: Item): { version: string; lastModified: number } {
  const lastModified = Date.parse(updatedAt)
  return { version: `${revision}-${lastModified.toString(36)}`, lastModified }
}

/** Builds the page of a record. Only the format HTML knows what it takes and returns. */
type RecordPage = (view: never) => object

/** Returns the result of an action. Throws the error that an action returned instead of one. */
export function orThrow<T>(outcome: T | HttpError): T {
  if (outcome instanceof Error) throw outcome
  return outcome
}

/** Request as actions see it, independent of HTTP. */
export interface ActionContext {
  method: string
  /** Path without the version. */
  path: string
  params: Readonly<Record<string, string>>
  /** The query, without its question mark. */
  search: string
  /** Media type of the body, without parameters. Empty if there is no body. */
  bodyType: string
  body: Buffer
  caller: Caller | undefined
  /** Returns the origin of the request, `http://localhost:3000`. Empty for deferred requests. */
  origin(): string
  /** API version: `1` or `2`. */
  version: string
  /** Beginning of the path that named the version: `/v2`. Empty if another source did. */
  prefix: string
  /** Returns the language that the client prefers. */
  language(): Language
  prefer: Prefer
  database: Database
  /** The database, or the transaction of a request with an Idempotency-Key. */
  db: Connection
  /** Time of the request, as it is stored. */
  now: string
  /** Throws a 412 if a precondition of the request does not match this state. */
  requireCurrent(state: { version?: string; lastModified?: number } | undefined): void
  /** Called right before a change is committed. Throws a 503 if an error was already sent. */
  beforeCommit(): void
  /** Computes what takes long and needs no database. */
  beforehand: Beforehand
}

/** Preferences of the client (RFC 7240). */
export interface Prefer {
  return: 'minimal' | 'representation' | undefined
  /** Whether unknown fields and parameters are ignored. */
  lenient: boolean
  respondAsync: boolean
  /** Seconds that the client is willing to wait. */
  wait: number | undefined
  /** Whether the change is rolled back after all checks (`tx=rollback`, as in PostgREST). */
  rollback: boolean
}

/** Those of a request without `Prefer`. */
export const NO_PREFERENCES: Prefer = {
  return: undefined,
  lenient: false,
  respondAsync: false,
  wait: undefined,
  rollback: false,
}

/** Parses `Prefer`. Contradicting and unknown preferences are ignored. */
export function parsePrefer(field: string | undefined): Prefer {
  if (field === undefined) return NO_PREFERENCES
  const preferences = new Map<string, string>()
  for (const member of splitList(field, { maxItems: 20 })) {
    const [name = '', value = ''] = (member.split(';')[0] ?? '').split('=')
    const key = name.trim().toLowerCase()
    const text = value.trim().replace(/^"|"$/g, '').toLowerCase()
    if (preferences.has(key) && preferences.get(key) !== text) preferences.set(key, '')
    else preferences.set(key, text)
  }
  const returned = preferences.get('return')
  const wait = Number(preferences.get('wait') ?? Number.NaN)
  return {
    return: returned === 'minimal' || returned === 'representation' ? returned : undefined,
    lenient: preferences.get('handling') === 'lenient',
    respondAsync: preferences.has('respond-async'),
    wait: Number.isInteger(wait) && wait >= 0 ? wait : undefined,
    rollback: preferences.get('tx') === 'rollback',
  }
}
