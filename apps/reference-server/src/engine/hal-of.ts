import { type Resource, type ResourceDefinition, resource } from '@svc/hal'
import type { Collection, Item, LinkContext } from './define.ts'
import type { VersionCodecs } from './versions.ts'

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

/** What the representations of a collection are built from. */
export interface HalSource {
  collection: Collection
  links: Links
  codecs: VersionCodecs
}

/** An item with its links. */
export function halOf(source: HalSource): HalItem {
  return resource<Item, RenderContext>(source.collection.item, definitionOf(source, 'chosen'))
}

/** The same with what was asked for beside it; `others` are shown whole. */
export function embeddingHalOf(
  source: HalSource,
  relations: ReadonlyMap<string, Relation>,
  others: ReadonlyMap<string, HalItem>,
): HalItem {
  const embeds = [...relations].flatMap(([relation, { collection: target, field }]) => {
    const other = others.get(target)
    const from = (value: Item, { embedded }: RenderContext): Item | undefined =>
      embedded?.get(relation)?.get(String(value[field]))
    return other ? [[relation, { resource: other, from }] as const] : []
  })
  const definition = { ...definitionOf(source, 'chosen'), embeds: Object.fromEntries(embeds) }
  return resource<Item, RenderContext>(source.collection.item, definition)
}

/** An item beside another one: the fields that were chosen are those of the other. */
export function embeddedHalOf(source: HalSource): HalItem {
  return resource<Item, RenderContext>(source.collection.item, definitionOf(source, 'all'))
}

function definitionOf(
  { collection, links, codecs }: HalSource,
  shown: 'chosen' | 'all',
): ResourceDefinition<Item, RenderContext, Links, unknown> {
  const { name, path } = collection
  return {
    self: `${path}/{id}`,
    links,
    collection: name,
    state: (value, { version, fields }) => codecs(version).encode(value, shown === 'all' ? undefined : fields),
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
