import type { CompiledCollection, RenderContext } from '../../engine/compiled-collection.ts'
import { IN_USE, type Item } from '../../engine/define.ts'
import type { JsonSchema } from '../../engine/field.ts'
import type { Action } from '../../engine/route.ts'
import type { Formats } from '../formats.ts'
import { getPage, renderForms, renderItem } from '../json.ts'
import common from './common-components.json' with { type: 'json' }

type Section = 'schemas' | 'responses' | 'parameters' | 'requestBodies' | 'headers'

export interface Reference extends JsonSchema {
  readonly $ref: string
}

/** Parts that operations share: each is written once and referenced by name. */
export interface Components {
  /** Adds a part. Throws a `TypeError` if another one has the name. */
  add(section: Section, name: string, part: object): Reference
  /** Adds a part that is the same in every service. Throws a `TypeError` if there is none. */
  share(section: 'parameters' | 'responses' | 'headers', name: string): Reference
  readonly sections: Readonly<Record<Section, Record<string, object>>>
}

/** An action, where it is, and what its description is built with. */
export interface Operation {
  method: string
  path: string
  action: Action
  /** Context that examples are rendered in. */
  context: RenderContext
  components: Components
  formats: Pick<Formats, 'typesFor'>
}

export function createComponents(): Components {
  const { schemas, headers } = common
  const sections: Components['sections'] = {
    schemas: { ...schemas },
    responses: {},
    parameters: {},
    requestBodies: {},
    headers: { ...headers },
  }
  const texts = new Map<string, string>()
  const add: Components['add'] = (section, name, part) => {
    const key = `${section}/${name}`
    const text = JSON.stringify(part)
    if ((texts.get(key) ?? text) !== text) throw new TypeError(`openapi: there are two components ${key}`)
    texts.set(key, text)
    sections[section][name] = part
    return { $ref: `#/components/${key}` }
  }
  const share: Components['share'] = (section, name) => {
    const parts: Readonly<Record<string, object>> = common[section]
    if (!parts[name]) throw new TypeError(`openapi: ${section}/${name} has no description`)
    return add(section, name, parts[name])
  }
  return { sections, add, share }
}

export function schemaReference(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` }
}

type Body = Readonly<Record<string, unknown>>

/** Returns an item of the seed data as responses show it. */
export function itemExample(shape: CompiledCollection, context: RenderContext): unknown {
  return renderItem({ kind: 'item', shape, item: seedItem(shape) }, context)
}

/** Returns the forms of an item of the seed data. */
export function formsExample(shape: CompiledCollection, context: RenderContext): object {
  const { _templates } = renderForms({ kind: 'item', shape, item: seedItem(shape) }, context)
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

/** Returns an item of the seed data as a client sends it. */
export function bodyExample(
  { collection, codec }: CompiledCollection,
  mode: 'create' | 'update',
  { version }: Pick<RenderContext, 'version'>,
): Body {
  const { fields, encode } = codec(version)
  const shown = encode({ revision: 1, updatedAt: '', ...collection.example }, undefined)
  const entries = Object.entries(fields).flatMap(([name, { writable, json }]) => {
    const { examples: [sample] = [] } = json
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
