import type { ItemContent, PageContent, RecordContent } from '../../engine/action-result.ts'
import type { CompiledCollection, RenderContext } from '../../engine/compiled-collection.ts'
import { IN_USE } from '../../engine/define.ts'
import type { Action } from '../../engine/route.ts'
import { formsOf, recordOf } from '../json.ts'
import { halFor, pageOf } from '../page-of.ts'
import type { OperationPlace } from './place.ts'

/** Returns the example of a response in a media type, as the service sends it to a caller who may do everything. */
export function responseExample({ path, action, context }: OperationPlace, type: string): unknown {
  const content = contentOf(path, action)
  if (!content) return type === 'text/csv' ? CSV : undefined
  if (!type.endsWith('json')) return undefined
  if (type === 'application/prs.hal-forms+json') return formsOf(content, context)
  if (content.kind === 'record') return recordOf(content, context)
  if (content.kind === 'item') return halFor(content).render(content.item, context)
  return pageOf(content, context).render(type === 'application/hal+json' ? 'hal' : 'plain')
}

const CSV = 'id,name,department,salary,city,managerId\r\n1,Ken Kim,Engineering,9132,Hamburg,\r\n'

function contentOf(path: string, action: Action): ItemContent | PageContent | RecordContent | undefined {
  const { kind, shape, gives, record } = action
  if (kind === 'record') return gives && recordContent(record ?? '', gives)
  if (!shape || kind === 'none') return undefined
  const { fields, example } = shape.collection
  // The first items of the seed data are those that others refer to.
  const item = { revision: 1, updatedAt: '', ...(fields[IN_USE] && { [IN_USE]: true }), ...example }
  if (kind === 'item') return { kind, shape, item }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(example[name] ?? 1))
  return { kind, shape, items: [item], path: filled, number: 0, size: 20, totalElements: 1, query: {} }
}

function recordContent(name: string, { example, links }: NonNullable<Action['gives']>): RecordContent {
  return { kind: 'record', name, value: example, ...(links && { links }) }
}

/** Returns the example of a request in a media type. */
export function requestExample({ method, action, context }: OperationPlace, type: string): unknown {
  const { takes, shape } = action
  if (method === 'QUERY') return QUERY
  const body = takes?.example ?? (shape && bodyExample(shape, method === 'POST' ? 'create' : 'update', context))
  if (action.pathField !== undefined && body) return omit(body, action.pathField)
  if (method !== 'PATCH') return body
  const [[name, value] = ['', '']] = Object.entries(body ?? {})
  return type === 'application/json-patch+json' ? [{ op: 'replace', path: `/${name}`, value }] : { [name]: value }
}

function omit(body: Readonly<Record<string, unknown>>, omitted: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== omitted))
}

const QUERY = { filter: { id: { gte: 1, lt: 100 } }, sort: ['-id'], size: 10 }

function bodyExample(
  { collection, codec }: CompiledCollection,
  mode: 'create' | 'update',
  { version }: Pick<RenderContext, 'version'>,
): Record<string, unknown> {
  const { fields, encode } = codec(version)
  const shown = encode({ revision: 1, updatedAt: '', ...collection.example }, undefined)
  const body: Record<string, unknown> = {}
  for (const [name, { writable, json }] of Object.entries(fields)) {
    const [sample] = (json['examples'] ?? []) as unknown[]
    const value = shown[name] ?? sample
    if (writable[mode] && value !== undefined) body[name] = value
  }
  return body
}
