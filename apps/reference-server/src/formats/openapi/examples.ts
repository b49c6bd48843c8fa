import type { CompiledCollection, RenderContext } from '../../engine/compiled-collection.ts'
import { IN_USE, type Item } from '../../engine/define.ts'
import type { Payload } from '../../engine/route.ts'
import { getPage, halFor, renderForms, renderRecord } from '../json.ts'

type Body = Readonly<Record<string, unknown>>

/** Returns an item of the seed data as responses show it. */
export function itemExample(shape: CompiledCollection, context: RenderContext): unknown {
  return halFor({ kind: 'item', shape, item: seedItem(shape) }).render(seedItem(shape), context)
}

/** Returns the forms of an item of the seed data. */
export function formsExample(shape: CompiledCollection, context: RenderContext): object {
  const { _templates } = renderForms({ kind: 'item', shape, item: seedItem(shape) }, context) as { _templates?: object }
  return { _templates }
}

/** Returns a page with an item of the seed data. */
export function pageExample(shape: CompiledCollection, context: RenderContext): unknown {
  const { example, path } = shape.collection
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(example[name] ?? 1))
  const items = [seedItem(shape)]
  const page = { kind: 'page', shape, items, path: filled, number: 0, size: 20, totalElements: 1, query: {} } as const
  return getPage(page, context).render('plain')
}

// The first items of the seed data are those that others refer to.
function seedItem({ collection: { fields, example } }: CompiledCollection): Item {
  return { revision: 1, updatedAt: '', ...(fields[IN_USE] && { [IN_USE]: true }), ...example }
}

/** Returns the example of a record with the links that it declares. */
export function recordExample({ name, example, links }: Payload, context: RenderContext): unknown {
  return renderRecord({ kind: 'record', name, value: example, ...(links && { links }) }, context)
}

/** Returns an item of the seed data as a client sends it. */
export function bodyExample(
  { collection, codec }: CompiledCollection,
  mode: 'create' | 'update',
  { version }: Pick<RenderContext, 'version'>,
): Body {
  const { fields, encode } = codec(version)
  const shown = encode({ revision: 1, updatedAt: '', ...collection.example }, undefined)
  const entries = Object.entries(fields).flatMap(([name, { writable, json }]) => {
    const { examples: [sample] = [] } = json as { examples?: readonly unknown[] }
    const value = shown[name] ?? sample
    return writable[mode] && value !== undefined ? [[name, value]] : []
  })
  return Object.fromEntries(entries)
}

/** Returns a merge patch and a JSON Patch that set the first field of a body. */
export function patchExamples(body: Body): { merge: Body; json: readonly object[] } {
  const [[name, value] = ['', '']] = Object.entries(body)
  return { merge: { [name]: value }, json: [{ op: 'replace', path: `/${name}`, value }] }
}

export const QUERY_EXAMPLE: Body = { filter: { id: { gte: 1, lt: 100 } }, sort: ['-id'], size: 10 }

export const CSV_EXAMPLE = 'id,name,department,salary,city,managerId\r\n1,Ken Kim,Engineering,9132,Hamburg,\r\n'
