import { type FormProperty, type Resource, type ResourceDefinition, resource } from '@svc/hal'
import type { Collection, Item, LinkContext } from './define.ts'
import { type Fields, type JsonSchema, objectSchema } from './field.ts'
import type { VersionCodec, VersionCodecs } from './versions.ts'

/** Embedded items by relation, then by id. */
export type Embedded = ReadonlyMap<string, ReadonlyMap<string, Item>>

/** The request, as links and representations need it. */
export interface RenderContext extends LinkContext {
  version: string
  fields: ReadonlySet<string> | undefined
  embedded: Embedded | undefined
  /** Stored texts of items in pages. @defaultValue each item is encoded */
  reuseText?: ReuseText
}

/**
 * Returns the text of an item in pages: the stored one if the item is the same, with all that was
 * computed from other rows, else what `encode` returns. `key` names everything else that the text
 * depends on.
 */
export type ReuseText = (key: string, item: Item, encode: () => string) => string

/** The context of what is rendered for no request. */
export const NO_REQUEST: RenderContext = {
  base: '',
  caller: undefined,
  can: () => false,
  mayFollow: () => false,
  version: '',
  fields: undefined,
  embedded: undefined,
}

export type HalItem = Resource<Item, RenderContext, unknown, unknown, object>

/** A relation to one item of another collection, which can be embedded. */
export interface Relation {
  collection: string
  /** The field that holds its id. */
  field: string
}

/** Parts from which the representations of a collection are built. */
export interface HalSource {
  collection: Collection
  links: Links
  codecs: VersionCodecs
}

type Embeds = NonNullable<ResourceDefinition<Item, RenderContext, Links, unknown>['embeds']>

/** Creates the resource of an item with its links, and the fields that a client chose or all. */
export function createHal(
  { collection: { item, name, path }, links, codecs }: HalSource,
  shown: 'chosen' | 'all',
  embeds: Embeds = {},
): HalItem {
  return resource<Item, RenderContext>(item, {
    self: `${path}/{id}`,
    links,
    collection: name,
    embeds,
    state: (value, { version, fields }) => codecs(version).encode(value, shown === 'all' ? undefined : fields),
  })
}

/** Creates what an item can embed: the items of its relations. */
export function createEmbeds(relations: ReadonlyMap<string, Relation>, others: ReadonlyMap<string, HalItem>): Embeds {
  const embeds = [...relations].flatMap(([relation, { collection: target, field }]) => {
    const other = others.get(target)
    const from = (value: Item, { embedded }: RenderContext): Item | undefined =>
      embedded?.get(relation)?.get(String(value[field]))
    return other ? [[relation, { resource: other, from }] as const] : []
  })
  return Object.fromEntries(embeds)
}

type Links = Collection['links']

const ONE = /^(\/[a-z-]+)\/\{(\w+)\}$/

/** Returns the relations of a collection to one item of another: `/employees/{managerId}`. */
export function findRelations({ links }: Collection, collections: readonly Collection[]): Map<string, Relation> {
  const relations = new Map<string, Relation>()
  for (const [relation, entry] of Object.entries(links)) {
    const [, path, field = ''] = ONE.exec(findTemplate(entry) ?? '') ?? []
    const target = collections.find((other) => other.path === path)
    if (target && field !== 'id') relations.set(relation, { collection: target.name, field })
  }
  return relations
}

/** Returns the template of a link; `undefined` if its target is a function of the item. */
export function findTemplate(entry: Links[string]): string | undefined {
  const href = typeof entry === 'object' ? entry.href : entry
  return typeof href === 'string' ? href : undefined
}

/** A form that is rendered for its template only. */
export type ActionForm = Resource<object, RenderContext>

/** The forms of a collection to create an item, and to change and to delete one. */
export interface Forms {
  /** `pathField`: the field that the path gives, which the form does not have. */
  create(pathField?: string): ActionForm
  change: Resource<Item, RenderContext>
}

/** Creates the forms of a collection by API version, each of them once. */
export function compileForms({ collection, links, codecs }: HalSource): (version: string) => Forms {
  const forms = new Map<string, Forms>()
  return (version) => {
    const created = forms.get(version) ?? createForms(collection, links, codecs(version))
    forms.set(version, created)
    return created
  }
}

function createForms(
  { item, path, methods, scope, name }: Collection,
  { update: updateLink, delete: deleteLink }: Collection['links'],
  { fields, encode }: VersionCodec,
): Forms {
  // The forms of an item are there whenever their links are.
  const isChangeable = typeof updateLink === 'object' ? updateLink.when : undefined
  const change = (['PUT', 'PATCH'] as const).find((method) => methods.includes(method))
  const creates = new Map<string, ActionForm>()
  const createNew = (pathField: string): ActionForm => {
    const { [pathField]: _, ...open } = fields
    return resource<object, RenderContext>(name, {
      self: path.replace(/\{.*/s, ''),
      form: { method: 'POST', ...describeInputs(open, 'create'), when: (_, { can }) => can(`${scope}:write`) },
    })
  }
  return {
    create(pathField = '') {
      const form = creates.get(pathField) ?? createNew(pathField)
      creates.set(pathField, form)
      return form
    },
    change: resource<Item, RenderContext>(item, {
      self: `${path}/{id}`,
      links: typeof deleteLink === 'object' ? { delete: { ...deleteLink, form: { method: 'DELETE' } } } : {},
      ...(change !== undefined && {
        form: {
          method: change,
          ...describeInputs(fields, 'update'),
          values: (value) => plain(encode(value, undefined)),
          ...(isChangeable && { when: isChangeable }),
        },
      }),
    }),
  }
}

/** Creates the form of a record that is not part of a collection. */
export function createForm(name: string, method: 'POST' | 'PUT', fields: Fields, scope: string): ActionForm {
  return resource<object, RenderContext>(name, {
    self: '/',
    form: { method, ...describeInputs(fields, 'create'), when: (_, { can }) => can(scope) },
  })
}

function plain(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value !== 'object'))
}

/** Returns the inputs of a form. Those of objects and lists have room for JSON, and a sample. */
function describeInputs(fields: Fields, mode: 'create' | 'update') {
  const writable = Object.entries(fields).filter(([, field]) => field.writable[mode])
  const titled = writable.map(([name, { json, required }]) => [name, { json: { title: name, ...json }, required }])
  const properties: Record<string, Pick<FormProperty, 'type' | 'placeholder'>> = {}
  for (const [name, { json, isProse }] of writable) {
    const isChoice = json.items?.enum !== undefined
    // An `input` would join the lines of a text.
    if (isProse) properties[name] = { type: 'textarea' }
    else if (!isChoice && (json.type === 'object' || json.type === 'array'))
      properties[name] = { type: 'textarea', placeholder: JSON.stringify(buildSample(json)) }
  }
  return { schema: objectSchema(Object.fromEntries(titled)), properties }
}

/** A value of a schema, as simple as it may be: what is required, and no more. */
function buildSample({ type, items = {}, properties = {}, required = [], ...rest }: JsonSchema): unknown {
  if (type === 'array') return [buildSample(items)]
  if (type === 'object') {
    const names = required.length > 0 ? required : Object.keys(properties).slice(0, Number(rest['minProperties'] ?? 0))
    return Object.fromEntries(names.map((name) => [name, buildSample(properties[name] ?? {})]))
  }
  const [example] = rest.examples ?? rest.enum ?? []
  if (example !== undefined) return example
  if (type === 'number' || type === 'integer') return rest['minimum'] ?? 1
  return '…'
}
