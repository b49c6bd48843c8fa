import type { Route } from '../resource/route.ts'
import type { Collection } from '../resources/define.ts'
import { operationOf } from './operation.ts'
import { REFUSALS } from './refusals.ts'
import { COMMON_SCHEMAS, schemasOf } from './schemas.ts'

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH']

/** The OpenAPI 3.1 document of a version, from the routes that serve it and the declarations that they are made of. */
export function openApi(
  routes: readonly Route[],
  collections: readonly Collection[],
  { version, base }: { version: string; base: string },
): Record<string, unknown> {
  const owners = ownersOf(collections)
  const paths = routes.map(({ path, methods }): [string, object] => {
    const operations = METHODS.flatMap((method) => {
      const action = methods.get(method)
      if (!action) return []
      return [[method.toLowerCase(), operationOf({ method, path, action, collection: owners.get(path), version })]]
    })
    return [path, Object.fromEntries(operations)]
  })
  return {
    openapi: '3.1.1',
    info: {
      title: 'Svc reference server',
      version,
      description: 'Every operation also exists below /v1 and /v2, and by API-Version or a vendor media type.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base || '/' }],
    tags: collections.map(({ name }) => ({ name })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: {
        ...COMMON_SCHEMAS,
        ...Object.assign({}, ...collections.map((collection) => schemasOf(collection, version))),
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
