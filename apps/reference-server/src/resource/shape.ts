import { type Resource, resource } from '@svc/hal'
import type { Dialect } from '../database/database.ts'
import { type Repository, repositoryOf } from '../database/repository.ts'
import type { Collection, Item, LinkContext } from '../resources/define.ts'
import { type Wire, wireOf } from '../versions/wire.ts'
import { writeSchema } from './schema.ts'

/** What links and representations are told about the request. */
export interface RenderContext extends LinkContext {
  version: string
  fields: ReadonlySet<string> | undefined
}

/** A collection with everything that was worked out from its declaration. */
export interface Shape {
  collection: Collection
  repository: Repository
  hal: Resource<Item, RenderContext>
  /** The collection itself: its form makes a new item. */
  page: Resource<object, RenderContext>
  /** Fields that the database computes from other rows: the revision does not know them. */
  computed: readonly string[]
  /** How items look in an API version. */
  wire(version: string): Wire
}

/** Works out a collection, once. */
export function shapeOf(collection: Collection, dialect: Dialect): Shape {
  const { item, name, path, links, methods, scope } = collection
  const wires = new Map(['1', '2'].map((version) => [version, wireOf(collection, version)]))
  const wire = (version: string): Wire => wires.get(version) ?? wireOf(collection, version)
  const mayWrite = (_: Item, { can }: RenderContext): boolean => can(`${scope}:write`)
  const self = `${path}/{id}`
  const changeLinks = {
    ...((methods.includes('PUT') || methods.includes('PATCH')) && { update: { href: self, when: mayWrite } }),
    ...(methods.includes('DELETE') && { delete: { href: self, when: mayWrite } }),
  }
  const hal = resource<Item, RenderContext>(item, {
    self,
    links: { ...changeLinks, ...links },
    collection: name,
    state: (value, { version, fields }) => wire(version).show(value, fields),
    ...(methods.includes('PUT') && {
      template: { method: 'PUT', schema: writeSchema(wire('1').fields, 'update'), values: plainValues, when: mayWrite },
    }),
  })
  const page = resource<object, RenderContext>(name, {
    self: path.replace(/\{.*/s, ''),
    ...(methods.includes('POST') && {
      template: {
        method: 'POST',
        schema: writeSchema(wire('1').fields, 'create'),
        when: (_, { can }) => can(`${scope}:write`),
      },
    }),
  })
  const computed = Object.entries(collection.fields).flatMap(([field, { select }]) => (select ? [field] : []))
  return { collection, repository: repositoryOf(collection, dialect), hal, page, computed, wire }
}

function plainValues(item: Item): object {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => typeof value !== 'object'))
}
