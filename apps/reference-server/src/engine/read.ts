import type { HttpError } from '@svc/errors'
import { both, chain, type MaybePromise } from '../database/maybe-promise.ts'
import { requireScope } from '../security/caller.ts'
import { findItem, ownerConditions } from './access.ts'
import { type ActionContext, type ActionResult, itemResult, type PageContent } from './action.ts'
import type { CompiledCollection } from './compiled-collection.ts'
import type { AnyCondition } from './conditions.ts'
import { behind, reversed, toPosition, totalOrder } from './cursor.ts'
import type { Item } from './define.ts'
import type { Embedded } from './hal.ts'
import { firstOfAll, isWhole } from './jobs/defer.ts'
import { type PageQuery, type QueryOptions, readItemQuery, readQuery } from './query.ts'
import { columnFor } from './repository.ts'

/** Limits that a path sets on its items, in addition to the query. */
export interface PathScope {
  conditions: readonly AnyCondition[]
  /** Whether no item can be added below the path now. */
  isClosed?: boolean
  /** Field of the items that the path gives. */
  pathField?: string | undefined
}

export type Scope = (call: ActionContext) => MaybePromise<PathScope>

/** A page of a collection. */
export function listItems(shape: CompiledCollection, call: ActionContext, scope: Scope): MaybePromise<ActionResult> {
  const query = readQuery(call.search, shape.collection, optionsFor(shape, call))
  return chain(scope(call), (scoped) => listScoped(shape, call, query, scoped))
}

function listScoped(
  shape: CompiledCollection,
  call: ActionContext,
  query: PageQuery,
  scoped: PathScope,
): MaybePromise<ActionResult> {
  const { collection, repository } = shape
  const conditions = [...scoped.conditions, ...ownerConditions(collection, call.caller), ...query.selection.conditions]
  const isCounted = call.prefer.return !== 'minimal'
  // Two queries of PostgreSQL run at the same time.
  const read = both(readSlice(shape, call, query, conditions), () =>
    isCounted ? repository.count(call.db, conditions) : undefined,
  )
  const respond = (
    { items, cursors }: Slice,
    totalElements: number | undefined,
    embedded?: Embedded,
  ): ActionResult => ({
    status: 200,
    cache: collection.cache,
    content: {
      kind: 'page',
      shape,
      items,
      path: call.path,
      number: query.number,
      size: query.size,
      query: query.linkParameters,
      totalElements,
      fields: query.fields,
      embedded,
      cursors,
      pathField: scoped.pathField,
      ...(scoped.isClosed && { isClosed: true }),
    },
    ...(!isCounted && { headers: { 'Preference-Applied': 'return=minimal' } }),
  })
  return chain(read, ([slice, totalElements]) =>
    query.embed.length === 0
      ? respond(slice, totalElements)
      : embed(shape, slice.items, query.embed, call).then((embedded) => respond(slice, totalElements, embedded)),
  )
}

/** Throws what is wrong with the query of a page, without a look at the database. */
export function checkList(shape: CompiledCollection, call: ActionContext): void {
  const search = isWhole(call.search) ? firstOfAll(call.search) : call.search
  readQuery(search, shape.collection, optionsFor(shape, call))
}

type Slice = Pick<PageContent, 'items' | 'cursors'>

// By number, or from a mark on: then one more is read than shown, to know whether there is another
// page that way.
function readSlice(
  { collection, repository, cursors }: CompiledCollection,
  { db, path }: ActionContext,
  { selection, cursor, bound, size }: PageQuery,
  conditions: readonly AnyCondition[],
): MaybePromise<Slice> {
  if (cursor === undefined)
    return chain(repository.readPage(db, { ...selection, conditions }), (items): Slice => ({ items }))
  const key = `${path}\n${bound}`
  const order = totalOrder(selection.sort)
  const { place, isBackward } = cursor === '' ? BEGINNING : cursors.read(cursor, key)
  const sort = isBackward ? reversed(order) : order
  const read = repository.readPage(db, {
    sort,
    conditions: place ? [...conditions, behind(place, sort)] : conditions,
    limit: size + 1,
    offset: 0,
  })
  return chain(read, (rows): Slice => {
    const items = rows.slice(0, size)
    if (isBackward) items.reverse()
    const hasMore = rows.length > size
    const mark = (item: Item | undefined, isBackward: boolean): string | undefined =>
      item && cursors.write(key, { place: toPosition(item, order, collection), isBackward })
    const next = hasMore || isBackward ? mark(items.at(-1), false) : undefined
    const previous = (isBackward ? hasMore : place) ? mark(items[0], true) : undefined
    return { items, cursors: { self: cursor, next, previous } }
  })
}

const BEGINNING = { place: undefined, isBackward: false }

/** One item. */
export function getItem(shape: CompiledCollection, call: ActionContext): MaybePromise<ActionResult | HttpError> {
  const { fields, embed: names } = readItemQuery(call.search, optionsFor(shape, call))
  return chain(findItem(shape, call.params['id'] ?? '', call), (item): MaybePromise<ActionResult | HttpError> => {
    if (item instanceof Error) return item
    if (names.length === 0) return itemResult(200, shape, item, fields)
    // What is embedded changes by itself: the revision of the item says nothing about that.
    return embed(shape, [item], names, call).then((embedded) => ({
      status: 200,
      cache: shape.collection.cache,
      content: { kind: 'item', shape, item, embedded, fields },
    }))
  })
}

function optionsFor(shape: CompiledCollection, { version, prefer }: ActionContext): QueryOptions {
  return { lenient: prefer.lenient, visible: shape.codec(version).visible, relations: [...shape.relations.keys()] }
}

/**
 * Loads the related items to embed: one query per relation, only items that the caller may read.
 */
async function embed(
  shape: CompiledCollection,
  items: readonly Item[],
  names: readonly string[],
  { db, caller }: ActionContext,
): Promise<Embedded> {
  const embedded = new Map<string, ReadonlyMap<string, Item>>()
  for (const name of names) {
    const target = shape.related(name)
    const field = shape.relations.get(name)?.field
    if (!target || field === undefined) continue
    const { publicRead, scope } = target.collection
    if (!publicRead) requireScope(caller, `${scope}:read`)
    const ids = new Set<Item['id']>()
    for (const { [field]: id } of items) if (typeof id === 'number' || typeof id === 'string') ids.add(id)
    const visible = await findVisible(target, [...ids], { db, caller })
    embedded.set(name, new Map(visible.map((item) => [String(item.id), item])))
  }
  return embedded
}

function findVisible(
  { collection, repository }: CompiledCollection,
  ids: readonly Item['id'][],
  { db, caller }: Pick<ActionContext, 'db' | 'caller'>,
): MaybePromise<Item[]> {
  const ownerRules = ownerConditions(collection, caller)
  if (ownerRules.length === 0 || ids.length === 0) return repository.readItems(db, ids)
  const named = { column: 'id', operator: 'in', values: ids.map((id) => columnFor(collection, id)) } as const
  return repository.readPage(db, {
    conditions: [named, ...ownerRules],
    sort: [{ column: 'id', descending: false }],
    limit: ids.length,
    offset: 0,
  })
}
