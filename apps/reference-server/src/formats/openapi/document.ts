import type { CompiledCollections } from '../../engine/compiled-collection.ts'
import type { Collection, Fields } from '../../engine/define.ts'
import type { Route } from '../../engine/route.ts'
import { operationOf } from './operation.ts'
import { REFUSALS } from './refusals.ts'
import { COMMON_SCHEMAS, schemasOf } from './schemas.ts'

// OpenAPI 3.1 knows no QUERY: it is described beside the others.
const METHODS = { GET: 'get', PUT: 'put', POST: 'post', DELETE: 'delete', PATCH: 'patch', QUERY: 'x-query' }

/** The OpenAPI 3.1 document of a version, from the routes that serve it and the declarations that they are made of. */
export function openApi(
  routes: readonly Route[],
  shapes: CompiledCollections,
  { version, versions, base }: { version: string; versions: readonly string[]; base: string },
): Record<string, unknown> {
  const collections = [...shapes.values()].map(({ collection }) => collection)
  const owners = ownersOf(collections)
  const fieldsOf = (collection: Collection | undefined): Fields =>
    shapes.get(collection?.name ?? '')?.codec(version).fields ?? {}
  const paths = routes.map(({ path, methods }): [string, object] => {
    const operations = Object.entries(METHODS).flatMap(([method, member]) => {
      const action = methods.get(method)
      if (!action) return []
      const collection = owners.get(path)
      return [[member, operationOf({ method, path, action, collection, fields: fieldsOf(collection) })]]
    })
    return [path, Object.fromEntries(operations)]
  })
  return {
    openapi: '3.1.1',
    info: {
      title: 'Svc reference server',
      version,
      description:
        `Every operation also exists below ${versions.map((name) => `/v${name}`).join(' and ')}, and by API-Version or a ` +
        'vendor media type. HEAD goes where GET goes, OPTIONS everywhere, and QUERY where `x-query` describes it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base || '/' }],
    tags: collections.map(({ name }) => ({ name })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: {
        ...COMMON_SCHEMAS,
        ...Object.assign(
          {},
          ...[...shapes.values()].map(({ collection, codec }) => schemasOf(collection, codec(version))),
        ),
      },
      responses: REFUSALS,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
  }
}

/** Whose items a path answers. */
function ownersOf(collections: readonly Collection[]): ReadonlyMap<string, Collection> {
  const owners = new Map<string, Collection>()
  for (const collection of collections) {
    const { path, views } = collection
    for (const own of [path, `${path}/{id}`, ...views.map((view) => view.path)]) owners.set(own, collection)
  }
  return owners
}
