import { type Resource, resource } from '@svc/hal'
import type { Collection, Fields, Item } from './define.ts'
import { type RenderContext, wiresOf } from './hal-of.ts'
import { hintsOf, writeSchema } from './schema.ts'
import type { Wire } from './wire.ts'

/** A form that stands for itself: it is rendered for nothing but its template. */
export type Form = Resource<object, RenderContext>

/** The forms of a collection: one makes a new item, the other changes one. */
export interface Forms {
  create: Form
  update: Resource<Item, RenderContext>
}

/** The forms of a collection by API version, each made once. */
export function formsOf(collection: Collection, links: Collection['links']): (version: string) => Forms {
  const wire = wiresOf(collection)
  const made = new Map(['1', '2'].map((version) => [version, formsIn(collection, links, wire(version))]))
  return (version) => made.get(version) ?? formsIn(collection, links, wire(version))
}

function formsIn(
  { item, path, methods, scope, name }: Collection,
  { update: updateLink }: Collection['links'],
  { fields, show }: Wire,
): Forms {
  const form = (mode: 'create' | 'update') => ({
    schema: writeSchema(fields, mode),
    properties: hintsOf(fields, mode),
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
          values: (value) => plain(show(value, undefined)),
          ...(isChangeable && { when: isChangeable }),
        },
      }),
    }),
  }
}

/** The form of what belongs to no collection. */
export function formOf(name: string, method: 'POST' | 'PUT', fields: Fields, scope: string): Form {
  const template = { method, schema: writeSchema(fields, 'create'), properties: hintsOf(fields, 'create') }
  return resource<object, RenderContext>(name, {
    self: '/',
    template: { ...template, when: (_, { can }) => can(scope) },
  })
}

function plain(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value !== 'object'))
}
