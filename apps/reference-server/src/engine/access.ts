import { type Connection, type Id, idOf, type Stored } from '../database/connection.ts'
import { chain, type MaybePromise } from '../database/maybe-promise.ts'
import { failure, noun } from '../messages/errors.ts'
import { quoteInput } from '../messages/messages.ts'
import { type Caller, isConfined } from '../security/caller.ts'
import type { ActionContext } from './action-context.ts'
import type { CompiledCollection } from './compiled-collection.ts'
import type { AnyCondition } from './conditions.ts'
import type { Access, Collection, Item, Owner } from './define.ts'

/** Conditions that narrow a collection to what a caller may reach; none for callers who reach everything. */
export function ownConditions(
  collection: Collection,
  caller: Caller | undefined,
  access: Access = 'read',
): AnyCondition[] {
  const owner = ownerFor(collection, caller, access)
  if (!owner) return []
  const own = storedOwn(collection, owner, caller)
  if (owner.field !== undefined) return [{ column: owner.field, operator: 'eq', values: [own] }]
  const { condition = '', writeCondition = condition } = owner
  const sql = access === 'write' ? writeCondition : condition
  return [{ sql: `(${sql})`, values: sql.match(/\?/g)?.map(() => own) ?? [] }]
}

// `undefined`: this caller is not confined here.
function ownerFor({ owner, publicRead }: Collection, caller: Caller | undefined, access: Access): Owner | undefined {
  if (!owner || (publicRead && access === 'read')) return undefined
  return isConfined(caller, owner.liftedBy[access]) ? owner : undefined
}

// A caller who is no customer, or no user, owns nothing: null equals no value in SQL.
function storedOwn({ longIds, fields }: Collection, owner: Owner, caller: Caller | undefined): Stored {
  const own = caller?.[owner.is]
  if (own === undefined) return null
  return longIds || owner.is === 'customerId' ? BigInt(own) : (fields[owner.field ?? '']?.store(own)[0] ?? own)
}

/** Rejects writing an item with a field that names another owner: the caller is known, and not permitted. */
export function requireOwn(collection: Collection, item: Item, caller: Caller | undefined, access: Access): void {
  const owner = ownerFor(collection, caller, access)
  if (owner?.field === undefined) return
  const own = caller?.[owner.is]
  if (own === undefined || String(own) !== String(item[owner.field])) throw notOwn(collection, item.id)
}

/** As `requireOwn`, for an item that is stored and whose owner no field names. */
export function requireStoredOwn(
  { collection, repository }: CompiledCollection,
  id: Id,
  { db, caller }: { db: Connection; caller: Caller | undefined },
  access: Access,
): MaybePromise<void> {
  const owner = ownerFor(collection, caller, access)
  if (!owner || owner.field !== undefined) return
  const own = ownConditions(collection, caller, access)
  return chain(repository.count(db, [{ column: 'id', operator: 'eq', values: [id] }, ...own]), (count) => {
    if (count === 0) throw notOwn(collection, id)
  })
}

// An item that is new has no id yet.
function notOwn({ item }: Collection, id: Id): Error {
  const named = { item: noun(item) }
  return id === 0 ? failure('FORBIDDEN.create', named) : failure('FORBIDDEN.owner', { ...named, id: String(id) })
}

/** The id in a path; a text that can be none names nothing: 404. */
export function requireId(collection: Collection, text: string): Id {
  const id = idOf(text)
  if (id === undefined || (typeof id === 'string' && !collection.longIds)) throw missing(collection, text)
  return id
}

/** The item that a path names: 404 where it does not exist, 403 where it is somebody else's. */
export function requireItem(
  shape: CompiledCollection,
  text: string,
  call: Pick<ActionContext, 'db' | 'caller'>,
  isForChange = false,
): MaybePromise<Item> {
  const { collection, repository } = shape
  const id = requireId(collection, text)
  return chain(isForChange ? repository.lockItem(call.db, id) : repository.readItem(call.db, id), (item) => {
    if (!item) throw missing(collection, text)
    const access = isForChange ? 'write' : 'read'
    requireOwn(collection, item, call.caller, access)
    const checked = requireStoredOwn(shape, id, call, access)
    return checked === undefined ? item : chain(checked, () => item)
  })
}

/** There is no such item: 404. */
export function missing({ item }: Collection, text: string): Error {
  return failure('NOT_FOUND.item', { item: noun(item), id: quoteInput(text) })
}
