import type { Item } from '../resources/define.ts'
import { isConfined } from '../security/caller.ts'
import { requireScope } from '../security/require-scope.ts'
import type { Call } from './call.ts'
import type { Embedded } from './hal-of.ts'
import type { Shape } from './shape.ts'

/** Loads what is to stand beside some items: one query a relation, only what the caller may read. */
export async function embed(
  shape: Shape,
  items: readonly Item[],
  names: readonly string[],
  { db, caller }: Call,
): Promise<Embedded | undefined> {
  if (names.length === 0) return undefined
  const embedded = new Map<string, ReadonlyMap<string, Item>>()
  for (const name of names) {
    const target = shape.related(name)
    const field = shape.relations.get(name)?.field
    if (!target || field === undefined) continue
    const { publicRead, scope, owner } = target.collection
    if (!publicRead) requireScope(caller, `${scope}:read`)
    const ids = new Set(items.flatMap((item) => (item[field] === undefined ? [] : [item[field] as Item['id']])))
    const found = await target.repository.findAll(db, [...ids])
    const confined = owner && caller && isConfined(caller, owner.unless) && !publicRead
    const own = confined ? String(caller[owner.is]) : undefined
    const visible = own === undefined ? found : found.filter((item) => String(item[owner?.field ?? '']) === own)
    embedded.set(name, new Map(visible.map((item) => [String(item.id), item])))
  }
  return embedded
}
