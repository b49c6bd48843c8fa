import { type Resource, type ResourceDefinition, resource } from '@svc/hal'
import type { Collection, Item, LinkContext } from './define.ts'
import { type Wire, wireOf } from './wire.ts'

/** Items that were asked for beside others: by relation, then by id. */
export type Embedded = ReadonlyMap<string, ReadonlyMap<string, Item>>

/** What links and representations are told about the request. */
export interface RenderContext extends LinkContext {
  version: string
  fields: ReadonlySet<string> | undefined
  embedded: Embedded | undefined
}

export type HalItem = Resource<Item, RenderContext>

/** A relation to one item of another collection, which can be embedded. */
export interface Relation {
  collection: string
  /** The field that holds its id. */
  field: string
}

/** The wire forms of a collection, each worked out once. */
export function wiresOf(collection: Collection): (version: string) => Wire {
  const wires = new Map(['1', '2'].map((version) => [version, wireOf(collection, version)]))
  return (version) => wires.get(version) ?? wireOf(collection, version)
}

/** An item with its links. */
export function halOf(collection: Collection, links: Links): HalItem {
  return resource<Item, RenderContext>(collection.item, definitionOf(collection, links, 'chosen'))
}

/** The same with what was asked for beside it; `others` are shown whole. */
export function embeddingHalOf(
  collection: Collection,
  links: Links,
  relations: ReadonlyMap<string, Relation>,
  others: ReadonlyMap<string, HalItem>,
): HalItem {
  const embeds = [...relations].flatMap(([relation, { collection: target, field }]) => {
    const other = others.get(target)
    const from = (value: Item, { embedded }: RenderContext): Item | undefined =>
      embedded?.get(relation)?.get(String(value[field]))
    return other ? [[relation, { resource: other, from }] as const] : []
  })
  const definition = { ...definitionOf(collection, links, 'chosen'), embeds: Object.fromEntries(embeds) }
  return resource<Item, RenderContext>(collection.item, definition)
}

/** An item beside another one: the fields that were chosen are those of the other. */
export function embeddedHalOf(collection: Collection, links: Links): HalItem {
  return resource<Item, RenderContext>(collection.item, definitionOf(collection, links, 'all'))
}

function definitionOf(
  collection: Collection,
  links: Links,
  shown: 'chosen' | 'all',
): ResourceDefinition<Item, RenderContext, Links, unknown> {
  const { name, path } = collection
  const wire = wiresOf(collection)
  return {
    self: `${path}/{id}`,
    links,
    collection: name,
    state: (value, { version, fields }) => wire(version).show(value, shown === 'all' ? undefined : fields),
  }
}

type Links = Collection['links']

const ONE = /^(\/[a-z-]+)\/\{(\w+)\}$/

/** The relations of a collection that lead to one item of another: `/employees/{managerId}`. */
export function relationsOf({ links }: Collection, collections: readonly Collection[]): Map<string, Relation> {
  const relations = new Map<string, Relation>()
  for (const [relation, entry] of Object.entries(links)) {
    const href = typeof entry === 'string' ? entry : typeof entry === 'object' ? entry.href : undefined
    const [, path, field = ''] = (typeof href === 'string' && ONE.exec(href)) || []
    const target = collections.find((one) => one.path === path)
    if (target && field !== 'id') relations.set(relation, { collection: target.name, field })
  }
  return relations
}
