import { type Resource, resource } from '@svc/hal'
import type { Collection, Fields, Item } from './define.ts'
import type { HalSource, RenderContext } from './hal-of.ts'
import { buildHints, writeSchema } from './schema.ts'
import type { VersionCodec } from './versions.ts'

/** A form that stands for itself: it is rendered for nothing but its template. */
export type ActionForm = Resource<object, RenderContext>

/** The forms of a collection: one makes a new item, the other changes one. */
export interface Forms {
  create: ActionForm
  update: Resource<Item, RenderContext>
}

/** The forms of a collection by API version, each made once. */
export function formsOf({ collection, links, codecs }: HalSource): (version: string) => Forms {
  const forms = new Map<string, Forms>()
  return (version) => {
    const made = forms.get(version) ?? formsIn(collection, links, codecs(version))
    forms.set(version, made)
    return made
  }
}

function formsIn(
  { item, path, methods, scope, name }: Collection,
  { update: updateLink }: Collection['links'],
  { fields, encode }: VersionCodec,
): Forms {
  const form = (mode: 'create' | 'update') => ({
    schema: writeSchema(fields, mode),
    properties: buildHints(fields, mode),
  })
  // The form to change an item is there whenever the link is.
  const isChangeable = typeof updateLink === 'object' ? updateLink.when : undefined
  const change = (['PUT', 'PATCH'] as const).find((method) => methods.includes(method))
  return {
    create: resource<object, RenderContext>(name, {
      self: path.replace(/\{.*/s, ''),
      ...(methods.includes('POST') && {
        template: { method: 'POST', ...form('create'), when: (_, { can }) => can(`${scope}:write`) },
      }),
    }),
    update: resource<Item, RenderContext>(item, {
      self: `${path}/{id}`,
      ...(change !== undefined && {
        template: {
          method: change,
          ...form('update'),
          values: (value) => plain(encode(value, undefined)),
          ...(isChangeable && { when: isChangeable }),
        },
      }),
    }),
  }
}

/** The form of what belongs to no collection. */
export function formOf(name: string, method: 'POST' | 'PUT', fields: Fields, scope: string): ActionForm {
  const template = { method, schema: writeSchema(fields, 'create'), properties: buildHints(fields, 'create') }
  return resource<object, RenderContext>(name, {
    self: '/',
    template: { ...template, when: (_, { can }) => can(scope) },
  })
}

function plain(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value !== 'object'))
}
