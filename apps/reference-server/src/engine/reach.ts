import type { LinkEntry } from '@svc/hal'
import { hasId, isConfined } from '../security/caller.ts'
import {
  type Access,
  type Collection,
  type Document,
  IN_USE,
  type Item,
  type LinkContext,
  type Owner,
} from './define.ts'
import { findTemplate } from './hal.ts'

type Links = Collection['links']
type Entry = LinkEntry<Item, LinkContext>

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
      const { scope, owners } = findRequirements(entry, collection, targets)
      const { owner } = collection
      if (owner?.field !== undefined && CHANGES.includes(relation))
        owners.push({ owner, field: owner.field, access: 'write' })
      return [relation, addConditions(entry, { scope, owners, isUnused: relation === 'delete' })]
    })
    return Object.fromEntries(entries)
  }
}

/** Links to change and to delete an item come first. */
function withChanges({ path, methods, scope, links }: Collection): Links {
  const change = { href: `${path}/{id}`, when: (_: Item, { can }: LinkContext) => can(`${scope}:write`) }
  return {
    ...((methods.includes('PUT') || methods.includes('PATCH')) && { update: change }),
    ...(methods.includes('DELETE') && { delete: change }),
    ...links,
  }
}

/** Requirements to follow a link, in addition to its own condition. */
interface Requirements {
  /** Scope of the caller, other than that of the items of the collection. */
  scope: string | undefined
  /** Owners that a confined caller must be. */
  owners: { owner: Owner; field: string; access: Access }[]
  /** Whether no row of another table may refer to the item. */
  isUnused: boolean
}

/** Compiles the condition of a link: all in one function, since a page asks it for each item. */
function addConditions(entry: Entry, { scope, owners, isUnused }: Requirements): Entry {
  if (scope === undefined && owners.length === 0 && !isUnused) return entry
  const { when, ...definition } = typeof entry === 'object' ? entry : { href: entry, when: undefined }
  return {
    ...definition,
    when(item, context) {
      if (when !== undefined && !when(item, context)) return false
      if (scope !== undefined && !context.can(scope)) return false
      if (isUnused && item[IN_USE] === true) return false
      const { caller } = context
      for (const { owner, field, access } of owners) {
        if (isConfined(caller, owner.liftedBy[access]) && !hasId(caller, owner.is, item[field])) return false
      }
      return true
    },
  }
}

function findRequirements(
  entry: Entry,
  collection: Collection,
  targets: ReadonlyMap<string, Target>,
): Pick<Requirements, 'scope' | 'owners'> {
  const href = findTemplate(entry) ?? ''
  const { scope, item } = targets.get(normalizePath(href)) ?? {}
  const field = item && !item.publicRead ? ownerField(item, href, collection) : undefined
  return {
    scope: scope === `${collection.scope}:read` ? undefined : scope,
    owners: item?.owner && field !== undefined ? [{ owner: item.owner, field, access: 'read' }] : [],
  }
}

// Confined callers see an item of another collection if its id, or the field with its owner, is
// theirs.
function ownerField({ owner, name }: Collection, href: string, collection: Collection): string | undefined {
  const field = /\{(\w+)\}/.exec(href)?.[1] ?? ''
  if (name === collection.name || !owner) return undefined
  return owner.field === 'id' ? field : collection.owners[field]
}

// `/orders/{orderId}/items` and `/orders/{id}/items` are the same path; queries do not count.
function normalizePath(template: string): string {
  return template.replace(/\{?\?.*$/s, '').replace(/\{\w+\}/g, '{}')
}
