import type { LinkEntry } from '@svc/hal'
import { isConfined } from '../security/caller.ts'
import { type Access, type Collection, type Document, IN_USE, type Item, type LinkContext } from './define.ts'

/** Finds out which links of items their reader can follow: those that GET answers with 200. */
export interface Reach {
  /** The links of a collection, each only for callers who can follow it. */
  linksOf(collection: Collection): Collection['links']
}

type Links = Collection['links']
type Entry = LinkEntry<Item, LinkContext>
type Condition = (item: Item, context: LinkContext) => boolean

/** What reading a path needs. */
interface Target {
  /** `undefined`: anyone may. */
  scope: string | undefined
  /** The collection that the path names one item of. */
  item?: Collection
}

// Relations that lead to where an item is changed.
const CHANGES = ['update', 'delete', 'cancel', 'payment']

/** Compiles what reading each path of the collections and documents needs, once. */
export function reachOf(collections: readonly Collection[], documents: readonly Document[]): Reach {
  const targets = new Map<string, Target>()
  for (const collection of collections) {
    const scope = collection.publicRead ? undefined : `${collection.scope}:read`
    for (const { path } of [collection, ...collection.nestedPaths]) targets.set(shapeOf(path), { scope })
    targets.set(shapeOf(`${collection.path}/{id}`), { scope, item: collection })
  }
  for (const { path, parent, scope } of documents) {
    const isPublic = collections.some(({ name, publicRead }) => name === parent && publicRead)
    targets.set(shapeOf(path), { scope: isPublic ? undefined : `${scope}:read` })
  }
  return {
    linksOf: (collection) =>
      Object.fromEntries(
        Object.entries(withChanges(collection)).map(([relation, entry]) => [
          relation,
          limited(entry, [
            ...followable(entry, collection, targets),
            ...(relation === 'delete' ? [isUnused] : []),
            ...(CHANGES.includes(relation) ? [isOwn(collection, collection.owner?.field, 'write')] : []),
          ]),
        ]),
      ),
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

function limited(entry: Entry, conditions: readonly Condition[]): Entry {
  if (conditions.length === 0) return entry
  const { when, ...definition } = typeof entry === 'object' ? entry : { href: entry, when: undefined }
  const all = when ? [when, ...conditions] : conditions
  return { ...definition, when: (item, context) => all.every((condition) => condition(item, context)) }
}

function followable(entry: Entry, collection: Collection, targets: ReadonlyMap<string, Target>): Condition[] {
  const href = typeof entry === 'object' ? entry.href : entry
  const target = typeof href === 'string' ? targets.get(shapeOf(href)) : undefined
  if (typeof href !== 'string' || !target) return []
  const { scope, item } = target
  const conditions: Condition[] = []
  if (scope !== undefined && scope !== `${collection.scope}:read`) conditions.push((_, { can }) => can(scope))
  if (item?.owner && !item.publicRead) conditions.push(isOwn(item, ownerField(item, href, collection), 'read'))
  return conditions
}

// Who is confined sees an item of another collection if it is theirs: if its id, or the field that holds its owner, is.
function ownerField({ owner, name }: Collection, href: string, collection: Collection): string | undefined {
  const field = /\{(\w+)\}/.exec(href)?.[1] ?? ''
  if (name === collection.name || !owner) return undefined
  return owner.field === 'id' ? field : collection.owners[field]
}

function isOwn({ owner }: Collection, field: string | undefined, access: Access): Condition {
  return (item, { caller }) => {
    if (!owner || field === undefined || !isConfined(caller, owner.liftedBy[access])) return true
    const own = caller?.[owner.is]
    return own !== undefined && String(own) === String(item[field])
  }
}

// `/orders/{orderId}/items` and `/orders/{id}/items` are the same path; queries are no part of it.
function shapeOf(template: string): string {
  return template.replace(/\{?\?.*$/s, '').replace(/\{\w+\}/g, '{}')
}
