import type { HttpError } from '@svc/errors'
import { type Connection, type Id, parseId, type Stored } from '../database/connection.ts'
import { chain, type MaybePromise } from '../database/maybe-promise.ts'
import { failure, noun } from '../messages/errors.ts'
import { quoteInput } from '../messages/messages.ts'
import { type Caller, hasId, isConfined } from '../security/caller.ts'
import { type ActionContext, orThrow } from './action.ts'
import type { CompiledCollection } from './compiled-collection.ts'
import type { AnyCondition } from './conditions.ts'
import type { Access, Collection, ExampleItem, Item, Owner } from './define.ts'

/** Returns the conditions that confine a caller to their own items; none if not confined. */
export function ownerConditions(
  collection: Collection,
  caller: Caller | undefined,
  access: Access = 'read',
): AnyCondition[] {
  const owner = ownerFor(collection, caller, access)
  if (!owner) return []
  const ownerId = storeOwner(collection, owner, caller)
  if (owner.field !== undefined) return [{ column: owner.field, operator: 'eq', values: [ownerId] }]
  const { condition = '', writeCondition = condition } = owner
  const sql = access === 'write' ? writeCondition : condition
  return [{ sql: `(${sql})`, values: sql.match(/\?/g)?.map(() => ownerId) ?? [] }]
}

// Returns `undefined` if the caller is not confined.
function ownerFor({ owner, publicRead }: Collection, caller: Caller | undefined, access: Access): Owner | undefined {
  if (!owner || (publicRead && access === 'read')) return undefined
  return isConfined(caller, owner.liftedBy[access]) ? owner : undefined
}

// A caller who is not a customer, or not a user, owns nothing: null does not equal any value in
// SQL.
function storeOwner({ longIds, fields }: Collection, owner: Owner, caller: Caller | undefined): Stored {
  const ownerId = caller?.[owner.is]
  if (ownerId === undefined) return null
  return longIds || owner.is === 'customerId'
    ? BigInt(ownerId)
    : (fields[owner.field ?? '']?.store(ownerId)[0] ?? ownerId)
}

/** Throws a 403 if a field of the item names another owner than the caller. */
export function requireOwn(
  collection: Collection,
  item: ExampleItem,
  caller: Caller | undefined,
  access: Access,
): void {
  const owner = ownerFor(collection, caller, access)
  if (owner?.field !== undefined && !hasId(caller, owner.is, item[owner.field]))
    throw createForbidden(collection, item.id)
}

/** As `requireOwn`, for a stored item whose owner is found by a condition. */
export function requireStoredOwn(
  { collection, repository }: CompiledCollection,
  id: Id,
  { db, caller }: { db: Connection; caller: Caller | undefined },
  access: Access,
): MaybePromise<void> {
  const owner = ownerFor(collection, caller, access)
  if (!owner || owner.field !== undefined) return
  const ownerRules = ownerConditions(collection, caller, access)
  return chain(repository.count(db, [{ column: 'id', operator: 'eq', values: [id] }, ...ownerRules]), (count) => {
    if (count === 0) throw createForbidden(collection, id)
  })
}

// A new item has no id yet.
function createForbidden({ item }: Collection, id: Id): Error {
  const named = { item: noun(item) }
  return id === 0 ? failure('FORBIDDEN.create', named) : failure('FORBIDDEN.owner', { ...named, id: String(id) })
}

/** Reads the item of a path. Throws a 404 if it does not exist, a 403 if another user owns it. */
export function requireItem(
  shape: CompiledCollection,
  text: string,
  call: Pick<ActionContext, 'db' | 'caller'>,
  isForChange = false,
): MaybePromise<Item> {
  return chain(findItem(shape, text, call, isForChange), orThrow)
}

/** As `requireItem`, but returns the 404: clients cause many, and V8 needs longer to throw it. */
export function findItem(
  shape: CompiledCollection,
  text: string,
  call: Pick<ActionContext, 'db' | 'caller'>,
  isForChange = false,
): MaybePromise<Item | HttpError> {
  const { collection, repository } = shape
  const id = parseId(text)
  if (id === undefined || (typeof id === 'string' && !collection.longIds)) return missing(collection, text)
  return chain(isForChange ? repository.lockItem(call.db, id) : repository.readItem(call.db, id), (item) => {
    if (!item) return missing(collection, text)
    const access = isForChange ? 'write' : 'read'
    requireOwn(collection, item, call.caller, access)
    const checked = requireStoredOwn(shape, id, call, access)
    return checked === undefined ? item : chain(checked, () => item)
  })
}

/** Creates the 404 for a missing item. */
export function missing({ item }: Collection, text: string): HttpError {
  return failure('NOT_FOUND.item', { item: noun(item), id: quoteInput(text) })
}
