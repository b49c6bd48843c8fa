import { HttpError } from '@svc/errors'
import type { Id } from '../database/connection.ts'
import { isPromise } from '../database/maybe-promise.ts'
import { failure, invalid, noun, type Problem, problemsIn } from '../messages/errors.ts'
import { requireItem, requireOwn, requireStoredOwn } from './access.ts'
import { type ActionContext, type ActionResult, itemResult, NO_CONTENT, toItemState } from './action.ts'
import type { CompiledCollection } from './compiled-collection.ts'
import type { ChangeContext, Item } from './define.ts'
import type { Fields } from './field.ts'
import { NO_REQUEST } from './hal.ts'
import { applyPatch, touchedBy } from './patch.ts'
import { parseJson, readValue } from './read-body.ts'
import { explainViolation, inTransaction } from './transaction.ts'
import { isSame, pointerTo, validate } from './validate.ts'

/** Result of a change for clients that prefer no content. */
export const MINIMAL: ActionResult = {
  status: 204,
  cache: 'never',
  headers: { 'Preference-Applied': 'return=minimal' },
}

/** Values of a new item that come from the path: the parent in `/products/{productId}/reviews`. */
export type Given = Readonly<Record<string, unknown>>

const NO_VALUES: Given = {}

/** Compiles POST: a new item, with what `readPathValues` finds in the path. */
export function createItem(
  shape: CompiledCollection,
  readPathValues: ((call: ActionContext) => Promise<Given>) | undefined,
): (call: ActionContext) => Promise<ActionResult> {
  return async (call) => {
    const values = readNew(shape, call, readPathValues ? await readPathValues(call) : NO_VALUES)
    const item = await inTransaction(call, (change) => insertItem(shape, values, change))
    const self = shape.hal.self(item, NO_REQUEST)
    if (call.prefer.return === 'minimal') return { ...MINIMAL, status: 201, location: self }
    return { ...itemResult(201, shape, item), location: self, contentLocation: self }
  }
}

/** Reads a new item: 412 if a precondition fails, 400 and 422 if its shape or ranges are wrong. */
export function readNew(shape: CompiledCollection, call: ActionContext, pathValues: Given): Given {
  // The collection exists, and its ETags are those of single pages: none of them matches.
  call.requireCurrent({})
  const { fields, decode } = shape.codec(call.version)
  // The body omits the values that the path contains.
  const open =
    pathValues === NO_VALUES
      ? fields
      : Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(pathValues, name)))
  const body = readValue(call, open, shape.collection.item)
  return { ...decode(validate(body, { fields: open, mode: 'create', lenient: call.prefer.lenient })), ...pathValues }
}

/** Writes a new item with the rules of its collection. */
export async function insertItem(shape: CompiledCollection, values: Given, work: ChangeContext): Promise<Item> {
  const { collection, repository } = shape
  const { hooks, item: name } = collection
  const { id = 0 }: { id?: Id } = values
  const draft: Item = { ...values, id, revision: 1, updatedAt: work.now }
  await checkReferences(shape, draft, undefined, work)
  await hooks.beforeSave?.(draft, undefined, work)
  requireOwn(collection, draft, work.caller, 'write')
  try {
    const inserted = repository.insert(work.db, draft, work.now)
    const stored = isPromise(inserted) ? await inserted : inserted
    draft.id = stored.id
    return await finishWrite(shape, draft, undefined, stored, work)
  } catch (error) {
    throw explainViolation(error, name)
  }
}

/** PUT: the whole item anew. */
export function replaceItem(shape: CompiledCollection, call: ActionContext): Promise<ActionResult> {
  return changeItem(shape, call, (current) => {
    const { fields, encode, decode } = shape.codec(call.version)
    const body = readValue(call, fields, shape.collection.item)
    const rules = { fields, mode: 'update', lenient: call.prefer.lenient, current: encode(current, undefined) } as const
    return keepUnwritable(shape, current, decode(validate(body, rules)))
  })
}

/** PATCH: what the client names is changed, the whole is checked. */
export function patchItem(shape: CompiledCollection, call: ActionContext): Promise<ActionResult> {
  return changeItem(shape, call, (current) => {
    const { fields, encode, decode } = shape.codec(call.version)
    const shown = encode(current, undefined)
    const patch = parseJson(call.body)
    const patched = applyPatch(call.bodyType, shown, patch)
    const rules = { fields, mode: 'update', lenient: call.prefer.lenient, current: shown } as const
    const values = checkedPatch(call.bodyType, () => validate(patched, rules))
    return keepUnwritable(shape, current, decode(values, touchedBy(call.bodyType, patch)))
  })
}

/** DELETE: the item is gone, and stays so. */
export async function removeItem(shape: CompiledCollection, call: ActionContext): Promise<ActionResult> {
  const { collection, repository } = shape
  await inTransaction(call, async (work) => {
    const current = await currentItem(shape, work)
    try {
      await collection.hooks.beforeDelete?.(current, work)
      if (!(await repository.remove(work.db, current))) throw failure('PRECONDITION_FAILED')
      await collection.hooks.afterDelete?.(current, work)
    } catch (error) {
      throw explainViolation(error, collection.item, true)
    }
  })
  return NO_CONTENT
}

/** Changes an item as compare-and-set: of parallel changes with one tag exactly one succeeds. */
async function changeItem(
  shape: CompiledCollection,
  call: ActionContext,
  next: (current: Item) => Item,
): Promise<ActionResult> {
  const item = await inTransaction(call, async (work) => {
    const current = await currentItem(shape, work)
    return updateItem(shape, current, next(current), work)
  })
  if (call.prefer.return === 'minimal') return MINIMAL
  return { ...itemResult(200, shape, item), contentLocation: call.path }
}

// Locked until the transaction ends: without If-Match the last writer wins, one after the other.
async function currentItem(shape: CompiledCollection, call: ActionContext): Promise<Item> {
  const current = await requireItem(shape, call.params['id'] ?? '', call, true)
  call.requireCurrent(toItemState(current))
  return current
}

/**
 * Writes a change with the rules of its collection, if it has an effect: 412 if another change was
 * faster.
 */
export async function updateItem(
  shape: CompiledCollection,
  current: Item,
  next: Item,
  work: ChangeContext,
): Promise<Item> {
  const { collection, repository } = shape
  await checkReferences(shape, next, current, work)
  await collection.hooks.beforeSave?.(next, current, work)
  requireOwn(collection, next, work.caller, 'write')
  if (isUnchanged(collection.fields, next, current)) return current
  try {
    const stored = await repository.update(work.db, next, work.now)
    // It changed while this request was in progress.
    if (!stored) throw failure('PRECONDITION_FAILED')
    return await finishWrite(shape, next, current, stored, work)
  } catch (error) {
    throw explainViolation(error, collection.item)
  }
}

// Returns the item as a read would. A hook that does not return the fields without a column may
// have changed what is computed from other rows, too: then the item is read again.
async function finishWrite(
  shape: CompiledCollection,
  written: Item,
  previous: Item | undefined,
  stored: Item,
  work: ChangeContext,
): Promise<Item> {
  const { collection, repository } = shape
  const { hooks, owner } = collection
  const { afterSave } = hooks
  const apart = await afterSave?.(written, previous, work)
  if (owner && owner.field === undefined) await requireStoredOwn(shape, stored.id, work, 'write')
  if (apart) return Object.assign(stored, apart)
  const [item] = afterSave ? [await repository.readItem(work.db, stored.id)] : await repository.load(work.db, [stored])
  if (!item) throw new Error('an item that was written does not exist')
  return item
}

// Computed fields follow from others.
function isUnchanged(fields: Fields, next: Item, current: Item): boolean {
  return Object.entries(fields).every(([name, { select, isEqual = isSame }]) => {
    const [after, before] = [next[name] ?? undefined, current[name] ?? undefined]
    if (select !== undefined || after === before) return true
    return after !== undefined && before !== undefined && isEqual(after, before)
  })
}

async function checkReferences(
  shape: CompiledCollection,
  next: Item,
  previous: Item | undefined,
  { db }: ChangeContext,
): Promise<void> {
  const problems: Problem[] = []
  for (const [field, table] of Object.entries(shape.collection.references)) {
    const id = next[field]
    if (id === undefined || id === null || id === previous?.[field]) continue
    const rows = shape.repository.readReferenced(db, field, id)
    if ((isPromise(rows) ? await rows : rows).length > 0) continue
    const params = { item: noun(shape.referenced(field)?.item ?? table), id: String(id) }
    problems.push({ pointer: pointerTo(field), key: 'UNKNOWN_REFERENCE.item', params })
  }
  if (problems.length > 0) throw invalid(422, 'UNKNOWN_REFERENCE', problems)
}

// Fields that a client cannot set stay unchanged. Fields that it can set and omitted are removed.
function keepUnwritable(shape: CompiledCollection, current: Item, values: Record<string, unknown>): Item {
  const next: Item = { id: current.id, revision: current.revision, updatedAt: current.updatedAt }
  for (const [name, field] of Object.entries(shape.collection.fields)) {
    if (!field.writable.update && current[name] !== undefined) next[name] = current[name]
  }
  return Object.assign(next, values)
}

/** Runs the checks of a patched value. An invalid result of JSON Patch is a 422. */
export function checkedPatch<T>(type: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const { errors = [] } = error
    const isReadOnly = errors.some(({ code }) => code === 'READ_ONLY')
    if (error.status !== 400 || (type !== 'application/json-patch+json' && !isReadOnly)) throw error
    throw invalid(422, isReadOnly ? 'BUSINESS_RULE' : 'PATCH_INVALID', problemsIn({ errors }))
  }
}
