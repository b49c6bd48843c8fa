import type { Collection, Document } from '../../engine/define.ts'
import { recordRoute } from '../../engine/record-route.ts'
import type { Route } from '../../engine/route.ts'
import { type RelationInfo, relationPage, relationsPage } from '../../formats/pages/relations.ts'
import { formatMessage, isMessageKey, message } from '../../messages/messages.ts'
import { requireNamed } from './named.ts'

const PAGE_RELATIONS = ['self', 'first', 'previous', 'next', 'last']

/** /rels and /rels/{name}: every relation of `_links`. */
export function relationRoutes(collections: readonly Collection[], documents: readonly Document[]): Route[] {
  const all = describeRelations(collections, documents)
  const byName = new Map(all.map((info) => [info.name, info]))
  return [
    recordRoute('/rels', 'relations', 'catalogue', () => ({
      value: { items: all.map(summarize) },
      links: { self: '/rels' },
      page: (view) => relationsPage(view, all),
    })),
    recordRoute('/rels/{name}', 'relation', 'catalogue', ({ params }) => {
      const info = requireNamed(byName, 'relation', params['name'] ?? '')
      return {
        value: { ...summarize(info), usedBy: info.usedBy },
        links: { self: info.path, collection: '/rels' },
        page: (view) => relationPage(view, info),
      }
    }),
  ]
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
    for (const [name, link] of Object.entries(links)) add(name, item, hrefOf(link))
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

function hrefOf(link: Collection['links'][string]): string {
  if (typeof link === 'string') return link
  return typeof link === 'object' && link !== null && 'href' in link && typeof link.href === 'string' ? link.href : ''
}
