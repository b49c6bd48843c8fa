import { httpError } from '@svc/errors'
import type { Condition } from '../database/conditions.ts'
import { notFound } from '../failures.ts'
import type { Collection, Item } from '../resources/define.ts'
import { type Id, idOf } from '../resources/fields.ts'
import { type Caller, isConfined } from '../security/caller.ts'
import type { Call } from './call.ts'
import type { Shape } from './shape.ts'

/** What narrows a collection to what a caller may see; nothing for those who may see all. */
export function ownCondition({ owner, fields }: Collection, caller: Caller | undefined): Condition | undefined {
  if (!owner || !caller || !isConfined(caller)) return undefined
  const own = caller[owner.is]
  const value = own === undefined ? null : (fields[owner.field]?.store(own)[0] ?? own)
  return { column: owner.field, operator: 'eq', values: [value] }
}

/** Refuses what belongs to somebody else: the caller is known, and not permitted. */
export function requireOwn({ owner, item }: Collection, found: Item, caller: Caller | undefined): void {
  if (!owner || !caller || !isConfined(caller)) return
  if (caller[owner.is] !== undefined && String(caller[owner.is]) === String(found[owner.field])) return
  throw httpError(403, `This ${item} belongs to somebody else.`, { code: 'FORBIDDEN' })
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
  requireOwn(collection, found, caller)
  return found
}

function missing({ item }: Collection, text: string): Error {
  const name = item.charAt(0).toUpperCase() + item.slice(1)
  return notFound(/^\d{1,19}$/.test(text) ? `${name} ${text} does not exist.` : `There is no such ${item}.`)
}
