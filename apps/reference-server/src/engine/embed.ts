import type { MaybePromise } from '@svc/errors'
import { requireScope } from '../security/caller.ts'
import { ownConditions } from './access.ts'
import type { ActionContext } from './action-context.ts'
import { columnFor } from './columns.ts'
import type { CompiledCollection } from './compiled-collection.ts'
import type { Item } from './define.ts'
import type { Embedded } from './hal-of.ts'

/** Loads what is to stand beside some items: one query a relation, only what the caller may read. */
export async function embed(
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
    const ids = new Set(items.flatMap((item) => (item[field] === undefined ? [] : [item[field] as Item['id']])))
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
  const own = ownConditions(collection, caller)
  if (own.length === 0 || ids.length === 0) return repository.readItems(db, ids)
  const named = { column: 'id', operator: 'in', values: ids.map((id) => columnFor(collection, id)) } as const
  return repository.readPage(db, {
    conditions: [named, ...own],
    sort: [{ column: 'id', descending: false }],
    limit: ids.length,
    offset: 0,
  })
}
