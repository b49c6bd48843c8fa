import { toRecord } from '@svc/errors'
import type { Collection, Document } from '../../engine/define.ts'
import { errorSchema, type Fields, objectSchema } from '../../engine/field.ts'
import * as field from '../../engine/field-types.ts'
import { findTemplate } from '../../engine/hal.ts'
import { type Payload, type RecordInfo, type Route, recordRoute } from '../../engine/route.ts'
import {
  catalogPage,
  type ProblemInfo,
  problemPage,
  type RelationInfo,
  relationPage,
} from '../../formats/pages/problems.ts'
import type { Page, PageView } from '../../formats/pages/view.ts'
import { CODES, type Code, createExample, failure, noun } from '../../messages/errors.ts'
import {
  formatMessage,
  isMessageKey,
  listNames,
  type MessageKey,
  message,
  quoteInput,
} from '../../messages/messages.ts'

type Info = Pick<RecordInfo, 'record' | 'operationId' | 'summary' | 'description'>

/** Public documentation of named things: a path with all of them, and a path below it for each. */
interface Catalog<T> {
  /** `/problems` */
  path: string
  /** Name of the variable of the path below. */
  variable: string
  entries: ReadonlyMap<string, T & { path: string }>
  list: Info & {
    /** Name of its schema. */
    type: string
    items: string
    fields: Fields
    summarize(entry: T): object
    page(view: PageView, entries: readonly T[]): Page
  }
  entry: Info & {
    type: string
    schema: Payload['schema']
    describe(entry: T): Record<string, unknown>
    page(view: PageView, entry: T): Page
  }
}

/** Creates the two routes of a catalog. */
function catalogRoutes<T>({ path, variable, entries, list, entry: single }: Catalog<T>): Route[] {
  const { type: listType, items, fields, summarize, page: listPage, ...listInfo } = list
  const { type, schema, describe, page, ...info } = single
  const common = { cache: 'public', tag: 'discovery' } as const
  const shown = [...entries.values()]
  const value = { items: shown.map(summarize) }
  const links = { self: path }
  const toRecord = (entry: T & { path: string }) => ({
    value: describe(entry),
    links: { self: entry.path, collection: path },
  })
  const listed = {
    name: listType,
    schema: objectSchema({ items: field.list(field.group(fields)).describe(items) }),
    example: { items: value.items.slice(0, 2) },
    links,
  }
  const { value: example, links: exampleLinks } = shown[0] ? toRecord(shown[0]) : { value: {}, links: {} }
  const described = { name: type, schema, example, links: exampleLinks }
  return [
    recordRoute(path, { ...common, ...listInfo, gives: listed }, () => ({
      value,
      links,
      page: (view) => listPage(view, shown),
    })),
    recordRoute(`${path}/{${variable}}`, { ...common, ...info, gives: described }, ({ params }) => {
      const entry = requireNamed(entries, info.record, params[variable] ?? '')
      return { ...toRecord(entry), page: (view) => page(view, entry) }
    }),
  ]
}

/** Returns the entry with this name. Throws a 404 if there is none. */
export function requireNamed<T>(entries: ReadonlyMap<string, T>, item: string, name: string): T {
  const entry = entries.get(name)
  if (entry === undefined) throw failure('NOT_FOUND.item', { item: noun(item), id: quoteInput(name) })
  return entry
}

function inEnglish(key: MessageKey): string {
  return formatMessage(message(key), 'en')
}

const PROBLEM = {
  code: field.text({ max: 100 }).describe('The code.'),
  status: field.integer({ min: 400, max: 599 }).describe('HTTP status that it is usually sent with.'),
  title: field.text({ max: 100 }).describe('Words of the status.'),
  meaning: field.text({ max: 1000 }).describe('What it means.'),
}

/** /problems and /problems/{code}: every code that the service sends (RFC 9457 §3.1.1). */
export function problemRoutes(): Route[] {
  const { properties, ...schema } = objectSchema({
    ...PROBLEM,
    remedy: field.text({ max: 1000 }).describe('What a client can do about it.'),
  })
  const summarize = ({ name: code, status, title, meaning }: ProblemInfo) => ({
    code,
    status,
    title,
    meaning: inEnglish(meaning),
  })
  return catalogRoutes<ProblemInfo>({
    path: '/problems',
    variable: 'code',
    entries: new Map(listNames(CODES).map((code) => [toName(code), describeProblem(code)])),
    list: {
      record: 'problems',
      operationId: 'listProblems',
      summary: 'List error codes',
      description: 'Returns all error codes of the service, with their meaning.',
      type: 'ErrorCodes',
      items: 'All error codes.',
      fields: PROBLEM,
      summarize,
      page: (view, entries) => catalogPage(view, 'problemCodes', entries),
    },
    entry: {
      record: 'problem',
      operationId: 'getProblem',
      summary: 'Get an error code',
      description: 'Returns the meaning of an error code, what a client can do about it, and an example.',
      type: 'ErrorCode',
      schema: { ...schema, properties: { ...Object(properties), example: errorSchema } },
      describe: (info) => ({ ...summarize(info), remedy: inEnglish(info.remedy), example: info.example }),
      page: problemPage,
    },
  })
}

function toName(code: Code): string {
  return code.toLowerCase().replaceAll('_', '-')
}

function describeProblem(code: Code): ProblemInfo {
  const { status, remedy } = CODES[code]
  const path = `/problems/${toName(code)}`
  const occurrence = { path: PLACES[code] ?? '/orders/3', now: Date.UTC(2026, 10, 21, 7, 30) }
  const example = toRecord(createExample(code), occurrence)
  return { name: code, path, status, title: example.error, meaning: code, remedy: `remedy.${remedy}`, example }
}

const PLACES: Readonly<Partial<Record<Code, string>>> = {
  INVALID_PARAMETER: '/employees',
  UNKNOWN_PARAMETER: '/employees',
  VALIDATION_FAILED: '/employees',
  BUSINESS_RULE: '/employees/1',
}

const RELATION = {
  name: field.text({ max: 100 }).describe('Name of the relation.'),
  meaning: field.text({ max: 1000 }).describe('What its links lead to.'),
}

const USE = field.group({
  resource: field.text({ max: 100 }).describe('Resource that has the link.'),
  href: field.text({ min: 0, max: 1000 }).describe('Template of the link; empty if it depends on the resource.'),
})

/** /rels and /rels/{name}: every relation of `_links`. */
export function relationRoutes(collections: readonly Collection[], documents: readonly Document[]): Route[] {
  const summarize = ({ name, meaning }: RelationInfo) => ({ name, meaning: inEnglish(meaning) })
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
      fields: RELATION,
      summarize,
      page: (view, entries) => catalogPage(view, 'relations', entries),
    },
    entry: {
      record: 'relation',
      operationId: 'getRelation',
      summary: 'Get a link relation',
      description: 'Returns the meaning of a relation of `_links`, and where it is used.',
      type: 'Relation',
      schema: objectSchema({ ...RELATION, usedBy: field.list(USE).describe('Links with this relation.') }),
      describe: (info) => ({ ...summarize(info), usedBy: info.usedBy }),
      page: relationPage,
    },
  })
}

const PAGE_RELATIONS = ['self', 'first', 'previous', 'next', 'last']

function describeRelations(collections: readonly Collection[], documents: readonly Document[]): RelationInfo[] {
  const links = [
    ...collections.flatMap(({ item: resource, links }) =>
      Object.entries(links).map(([name, link]) => ({ name, resource, href: findTemplate(link) ?? '' })),
    ),
    ...documents.flatMap(({ name: resource, links }) =>
      Object.entries(links(SAMPLE)).map(([name, href]) => ({ name, resource, href: decodeURIComponent(href) })),
    ),
  ]
  const names = new Set([...PAGE_RELATIONS, ...links.map(({ name }) => name)])
  return [...names].sort().map((name) => {
    const meaning = `relation.${name}`
    if (!isMessageKey(meaning)) throw new TypeError(`the relation ${name} has no description`)
    const usedBy = links.filter((link) => link.name === name).map(({ resource, href }) => ({ resource, href }))
    return { name, path: `/rels/${name}`, meaning, usedBy }
  })
}

// The links of a document are functions of its item. For this one they return templates.
const SAMPLE = { id: '{id}', revision: 1, updatedAt: '', name: '{name}' }
