import type { Collection, Document } from '../../engine/define.ts'
import { objectSchema } from '../../engine/field.ts'
import * as field from '../../engine/field-types.ts'
import type { Route } from '../../engine/route.ts'
import { catalogPage, type RelationInfo, relationPage } from '../../formats/pages/problems.ts'
import { formatMessage, isMessageKey, message } from '../../messages/messages.ts'
import { catalogRoutes } from './catalog.ts'

const PAGE_RELATIONS = ['self', 'first', 'previous', 'next', 'last']

const SUMMARY = {
  name: field.text({ max: 100 }).describe('Name of the relation.'),
  meaning: field.text({ max: 1000 }).describe('What its links lead to.'),
}

const USE = field.group({
  resource: field.text({ max: 100 }).describe('Resource that has the link.'),
  href: field.text({ min: 0, max: 1000 }).describe('Template of the link; empty if it depends on the resource.'),
})

/** /rels and /rels/{name}: every relation of `_links`. */
export function relationRoutes(collections: readonly Collection[], documents: readonly Document[]): Route[] {
  return catalogRoutes<RelationInfo>({
    path: '/rels',
    variable: 'name',
    entries: new Map(describeRelations(collections, documents).map((info) => [info.name, info])),
    list: {
      record: 'relations',
      operationId: 'listRelations',
      summary: 'List link relations',
      description: 'Returns all relations of `_links`, with their meaning.',
      type: 'Relations',
      items: 'All relations.',
      fields: SUMMARY,
      summarize,
      page: (view, entries) => catalogPage(view, 'relations', entries),
    },
    entry: {
      record: 'relation',
      operationId: 'getRelation',
      summary: 'Get a link relation',
      description: 'Returns the meaning of a relation of `_links`, and where it is used.',
      type: 'Relation',
      schema: objectSchema({ ...SUMMARY, usedBy: field.list(USE).describe('Links with this relation.') }),
      describe: (info) => ({ ...summarize(info), usedBy: info.usedBy }),
      page: relationPage,
    },
  })
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
    for (const [name, href] of Object.entries(links(SAMPLE))) add(name, resource, decodeURIComponent(href))
  return [...uses]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, usedBy]) => {
      const meaning = `relation.${name}`
      if (!isMessageKey(meaning)) throw new TypeError(`the relation ${name} has no description`)
      return { name, path: `/rels/${name}`, meaning, usedBy }
    })
}

// The links of a document are functions of its item. For this one they return templates.
const SAMPLE = { id: '{id}', revision: 1, updatedAt: '', name: '{name}' }

function getHref(link: Collection['links'][string]): string {
  if (typeof link === 'string') return link
  return typeof link === 'object' && link !== null && 'href' in link && typeof link.href === 'string' ? link.href : ''
}
