import type { CompiledCollection } from './compiled-collection.ts'
import type { CacheClass, Item } from './define.ts'
import type { ActionForm } from './forms-of.ts'
import type { Embedded } from './hal-of.ts'

/** What an action answers: a value. What becomes of it on the wire is decided in `representations/`. */
export interface ActionResult {
  status: number
  content?: ResponseContent
  /** In place of content, bytes that were made before. */
  file?: { type: string; name: string; bytes: Uint8Array }
  headers?: Readonly<Record<string, string>>
  /** What the entity tag is made of; left out: the bytes. */
  version?: string
  /** Milliseconds. */
  lastModified?: number
  cache: CacheClass
  /** Path that `Location` or `Content-Location` name, without the version. */
  location?: string
  contentLocation?: string
}

export type ResponseContent = ItemContent | PageContent | RecordContent

export interface ItemContent {
  kind: 'item'
  shape: CompiledCollection
  item: Item
  fields?: ReadonlySet<string>
  embedded?: Embedded
}

export interface PageContent {
  kind: 'page'
  shape: CompiledCollection
  items: readonly Item[]
  /** Path of the collection, without the version. */
  path: string
  number: number
  size: number
  /** Marks in place of numbers: of this page, and of its neighbours where there are some. */
  cursors?: { self: string; next?: string | undefined; previous?: string | undefined }
  /** All there is, in place of a page: it has no neighbours to link to. */
  isWhole?: true
  /** No item can be added here now. */
  isClosed?: true
  /** Left out: nobody counted. */
  totalElements?: number
  /** Filters and sort, for the links. */
  query: Readonly<Record<string, readonly string[]>>
  fields?: ReadonlySet<string>
  embedded?: Embedded
}

/** Something that belongs to no collection: a tracking, a health report. */
export interface RecordContent {
  kind: 'record'
  /** Name of the root in XML. */
  name: string
  value: Readonly<Record<string, unknown>>
  /** Links by relation: paths without the version. */
  links?: Readonly<Record<string, string>>
  /** How it is changed, by those who may. */
  form?: ActionForm
  /** What people see in place of a table of its values. */
  page?: RecordPage
}

/** A change that has nothing to tell. */
export const NO_CONTENT: ActionResult = { status: 204, cache: 'never' }

/** Builds the page of a record. Only the format HTML knows what it takes and returns. */
export type RecordPage = (view: never) => object
