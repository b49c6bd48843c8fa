import type { LinkEntry } from '@svc/hal'
import { isConfined } from '../security/caller.ts'
import { type Access, type Collection, type Document, IN_USE, type Item, type LinkContext } from './define.ts'
import { findTemplate } from './hal.ts'

type Links = Collection['links']
type Entry = LinkEntry<Item, LinkContext>
type Condition = (item: Item, context: LinkContext) => boolean

/** Requirements to read a path. */
interface Target {
  /** `undefined` if the path is public. */
  scope: string | undefined
  /** The collection that the path names one item of. */
  item?: Collection
}

// Relations that lead to where an item is changed.
const CHANGES = ['update', 'delete', 'cancel', 'payment']

/**
 * Compiles what reading each path of the collections and documents needs. Returns a function for
 * the links of a collection, each only for callers who can follow it.
 */
export function compileReach(
  collections: readonly Collection[],
  documents: readonly Document[],
): (collection: Collection) => Links {
  const targets = new Map<string, Target>()
  for (const collection of collections) {
    const scope = collection.publicRead ? undefined : `${collection.scope}:read`
    for (const { path } of [collection, ...collection.nestedPaths]) targets.set(normalizePath(path), { scope })
    targets.set(normalizePath(`${collection.path}/{id}`), { scope, item: collection })
  }
  for (const { path, parent, scope } of documents) {
    const isPublic = collections.some(({ name, publicRead }) => name === parent && publicRead)
    targets.set(normalizePath(path), { scope: isPublic ? undefined : `${scope}:read` })
  }
  return (collection) => {
    const entries = Object.entries(withChanges(collection)).map(([relation, entry]): [string, Entry] => {
      const conditions = accessConditions(entry, collection, targets)
      if (relation === 'delete') conditions.push(isUnused)
      if (CHANGES.includes(relation)) conditions.push(isOwn(collection, collection.owner?.field, 'write'))
      return [relation, addConditions(entry, conditions)]
    })
    return Object.fromEntries(entries)
  }
}

const isUnused: Condition = (item) => item[IN_USE] !== true

/** Links to change and to delete an item come first. */
function withChanges({ path, methods, scope, links }: Collection): Links {
  const change = { href: `${path}/{id}`, when: (_: Item, { can }: LinkContext) => can(`${scope}:write`) }
  return {
    ...((methods.includes('PUT') || methods.includes('PATCH')) && { update: change }),
    ...(methods.includes('DELETE') && { delete: change }),
    ...links,
  }
}

function addConditions(entry: Entry, conditions: readonly Condition[]): Entry {
  if (conditions.length === 0) return entry
  const { when, ...definition } = typeof entry === 'object' ? entry : { href: entry, when: undefined }
  const all = when ? [when, ...conditions] : conditions
  return {
    ...definition,
    when(item, context) {
      for (const condition of all) if (!condition(item, context)) return false
      return true
    },
  }
}

function accessConditions(entry: Entry, collection: Collection, targets: ReadonlyMap<string, Target>): Condition[] {
  const href = findTemplate(entry) ?? ''
  const target = targets.get(normalizePath(href))
  if (!target) return []
  const { scope, item } = target
  const conditions: Condition[] = []
  if (scope !== undefined && scope !== `${collection.scope}:read`) conditions.push((_, { can }) => can(scope))
  if (item?.owner && !item.publicRead) conditions.push(isOwn(item, ownerField(item, href, collection), 'read'))
  return conditions
}

// Confined callers see an item of another collection if its id, or the field with its owner, is
// theirs.
function ownerField({ owner, name }: Collection, href: string, collection: Collection): string | undefined {
  const field = /\{(\w+)\}/.exec(href)?.[1] ?? ''
  if (name === collection.name || !owner) return undefined
  return owner.field === 'id' ? field : collection.owners[field]
}

function isOwn({ owner }: Collection, field: string | undefined, access: Access): Condition {
  return (item, { caller }) => {
    if (!owner || field === undefined || !isConfined(caller, owner.liftedBy[access])) return true
    const id = caller?.[owner.is]
    return id !== undefined && String(id) === String(item[field])
  }
}

// `/orders/{orderId}/items` and `/orders/{id}/items` are the same path; queries do not count.
function normalizePath(template: string): string {
  return template.replace(/\{?\?.*$/s, '').replace(/\{\w+\}/g, '{}')
}
