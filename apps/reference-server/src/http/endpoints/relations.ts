import type { Collection, Document } from '../../engine/define.ts'
import { text } from '../../engine/fields.ts'
import { described, group, list } from '../../engine/modifiers.ts'
import { type Payload, type Route, recordRoute } from '../../engine/route.ts'
import { objectSchema } from '../../engine/schema.ts'
import { type RelationInfo, relationPage, relationsPage } from '../../formats/pages/problems.ts'
import { formatMessage, isMessageKey, message } from '../../messages/messages.ts'
import { requireNamed } from './named.ts'

const PAGE_RELATIONS = ['self', 'first', 'previous', 'next', 'last']

const info = { cache: 'catalogue', tag: 'discovery' } as const

const listInfo = {
  record: 'relations',
  operationId: 'listRelations',
  summary: 'List link relations',
  description: 'Returns all relations of `_links`, with their meaning.',
}

const itemInfo = {
  record: 'relation',
  operationId: 'getRelation',
  summary: 'Get a link relation',
  description: 'Returns the meaning of a relation of `_links`, and where it is used.',
}

/** /rels and /rels/{name}: every relation of `_links`. */
export function relationRoutes(collections: readonly Collection[], documents: readonly Document[]): Route[] {
  const all = describeRelations(collections, documents)
  const [first] = all
  const byName = new Map(all.map((info) => [info.name, info]))
  return [
    recordRoute('/rels', { ...info, ...listInfo, gives: listPayload(all.slice(0, 2)) }, () => ({
      value: { items: all.map(summarize) },
      links: { self: '/rels' },
      page: (view) => relationsPage(view, all),
    })),
    recordRoute('/rels/{name}', { ...info, ...itemInfo, ...(first && { gives: itemPayload(first) }) }, ({ params }) => {
      const info = requireNamed(byName, 'relation', params['name'] ?? '')
      return {
        value: { ...summarize(info), usedBy: info.usedBy },
        links: { self: info.path, collection: '/rels' },
        page: (view) => relationPage(view, info),
      }
    }),
  ]
}

const SUMMARY = {
  name: described(text({ max: 100 }), 'Name of the relation.'),
  meaning: described(text({ max: 1000 }), 'What its links lead to.'),
}

const USE = group({
  resource: described(text({ max: 100 }), 'Resource that has the link.'),
  href: described(text({ min: 0, max: 1000 }), 'Template of the link; empty if it depends on the resource.'),
})

function listPayload(infos: readonly RelationInfo[]): Payload {
  const fields = { items: described(list(group(SUMMARY)), 'All relations.') }
  const example = { items: infos.map(summarize) }
  return { name: 'Relations', schema: objectSchema(fields), example, links: { self: '/rels' } }
}

function itemPayload(info: RelationInfo): Payload {
  return {
    name: 'Relation',
    schema: objectSchema({ ...SUMMARY, usedBy: described(list(USE), 'Links with this relation.') }),
    example: { ...summarize(info), usedBy: info.usedBy },
    links: { self: info.path, collection: '/rels' },
  }
}

function summarize({ name, meaning }: RelationInfo): object {
  return { name, meaning: formatMessage(message(meaning), 'en') }
}

function describeRelations(collections: readonly Collection[], documents: readonly Document[]): RelationInfo[] {
  const uses = new Map<string, { resource: string; href: string }[]>(PAGE_RELATIONS.map((name) => [name, []]))
  const add = (name: string, resource: string, href: string): void => {
    const others = uses.get(name) ?? []
    uses.set(name, [...others, { resource, href }])
  }
  for (const { item, links } of collections)
    for (const [name, link] of Object.entries(links)) add(name, item, getHref(link))
  for (const { name: resource, links } of documents)
    for (const [name, href] of Object.entries(links?.(SAMPLE) ?? {})) add(name, resource, decodeURIComponent(href))
  return [...uses]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, usedBy]) => {
      const meaning = `relation.${name}`
      if (!isMessageKey(meaning)) throw new TypeError(`the relation ${name} has no description`)
      return { name, path: `/rels/${name}`, meaning, usedBy }
    })
}

// A document says where its links lead for an item: for this one they are templates.
const SAMPLE = { id: '{id}', revision: 1, updatedAt: '', name: '{name}' }

function getHref(link: Collection['links'][string]): string {
  if (typeof link === 'string') return link
  return typeof link === 'object' && link !== null && 'href' in link && typeof link.href === 'string' ? link.href : ''
}
