import type { AnyCondition } from '../database/conditions.ts'
import { forbidden, notFound } from '../failures.ts'
import type { Collection, Item } from '../resources/define.ts'
import { type Id, idOf, type Stored } from '../resources/fields.ts'
import { type Caller, isConfined } from '../security/caller.ts'
import type { Call } from './call.ts'
import type { Shape } from './shape.ts'

/** What narrows a collection to what a caller may see; nothing for those who may see all. */
export function ownConditions(collection: Collection, caller: Caller | undefined): AnyCondition[] {
  const { owner, publicRead } = collection
  if (!owner || !caller || publicRead || !isConfined(caller, owner.unless)) return []
  const own = storedOwn(collection, caller)
  if (owner.field !== undefined) return [{ column: owner.field, operator: 'eq', values: [own] }]
  const { condition = '' } = owner
  return [{ sql: `(${condition})`, values: condition.match(/\?/g)?.map(() => own) ?? [] }]
}

function storedOwn({ owner, longIds, fields }: Collection, caller: Caller): Stored {
  const own = owner && caller[owner.is]
  if (own === undefined) return null
  return longIds || owner?.is === 'customerId' ? BigInt(own) : (fields[owner?.field ?? '']?.store(own)[0] ?? own)
}

/** Refuses what belongs to somebody else: the caller is known, and not permitted. */
export function requireOwn({ owner, item }: Collection, found: Item, caller: Caller | undefined): void {
  if (owner?.field === undefined || !caller || !isConfined(caller, owner.unless)) return
  if (caller[owner.is] !== undefined && String(caller[owner.is]) === String(found[owner.field])) return
  throw forbidden(`This ${item} belongs to somebody else.`)
}

/** The id in a path; a text that can be none names nothing: 404. */
export function requireId(collection: Collection, text: string): Id {
  const id = idOf(text)
  if (id === undefined || (typeof id === 'string' && !collection.longIds)) throw missing(collection, text)
  return id
}

/** The item that a path names: 404 where it does not exist, 403 where it is somebody else's. */
export async function requireItem(
  { collection, repository }: Shape,
  text: string,
  { db, caller }: Pick<Call, 'db' | 'caller'>,
  isForChange = false,
): Promise<Item> {
  const id = requireId(collection, text)
  const found = isForChange ? await repository.findForChange(db, id) : await repository.find(db, id)
  if (!found) throw missing(collection, text)
  const { owner, publicRead, item } = collection
  if (publicRead && !isForChange) return found
  requireOwn(collection, found, caller)
  if (owner?.condition === undefined) return found
  const conditions = ownConditions(collection, caller)
  if (conditions.length === 0) return found
  const count = await repository.count(db, [{ column: 'id', operator: 'eq', values: [id] }, ...conditions])
  if (count === 0) throw forbidden(`This ${item} belongs to somebody else.`)
  return found
}

/** There is no such item: 404. */
export function missing({ item }: Collection, text: string): Error {
  const name = item.charAt(0).toUpperCase() + item.slice(1)
  return notFound(/^\d{1,19}$/.test(text) ? `${name} ${text} does not exist.` : `There is no such ${item}.`)
}
