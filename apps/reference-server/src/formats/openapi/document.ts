import type { CompiledCollections, RenderContext } from '../../engine/compiled-collection.ts'
import type { Action, Route } from '../../engine/route.ts'
import type { Caller } from '../../security/caller.ts'
import { ALL_SCOPES } from '../../security/scopes.ts'
import { operationOf } from './operation.ts'
import { pathOwners } from './parameters.ts'
import { refusals } from './refusals.ts'
import { COMMON_SCHEMAS, payloadSchemas, schemasOf, schemaWithin } from './schemas.ts'

// OpenAPI 3.1 has no QUERY: it is described as an extension.
const METHODS = { GET: 'get', PUT: 'put', POST: 'post', DELETE: 'delete', PATCH: 'patch', QUERY: 'x-query' }

const SERVICE_TAGS = [
  { name: 'cart', description: 'The cart of the caller.' },
  { name: 'tokens', description: 'Access tokens.' },
  { name: 'operations', description: 'Requests that are completed after their response.' },
  { name: 'health', description: 'State of the service.' },
  { name: 'discovery', description: 'Where everything is and what it means.' },
]

/** Returns the OpenAPI 3.1 document of a version, from the routes that serve it and their declarations. */
export function openApi(
  routes: readonly Route[],
  shapes: CompiledCollections,
  { version, versions, base }: { version: string; versions: readonly string[]; base: string },
): Record<string, unknown> {
  const collections = [...shapes.values()].map(({ collection }) => collection)
  const owners = pathOwners(collections)
  const context = exampleContext(version, base)
  const paths = routes.map(({ path, methods }): [string, object] => {
    const operations = Object.entries(METHODS).flatMap(([method, member]) => {
      const action = methods.get(method)
      return action ? [[member, operationOf({ method, path, action, context, owners })]] : []
    })
    return [path, Object.fromEntries(operations)]
  })
  return {
    openapi: '3.1.1',
    info: {
      title: 'Svc reference server',
      version,
      description:
        `Employees, orders, accounts and more. Every operation also exists below ${versions.map((name) => `/v${name}`).join(' and ')}, ` +
        'and by API-Version or a vendor media type. HEAD works wherever GET does, OPTIONS everywhere, and QUERY where ' +
        '`x-query` describes it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base || '/' }],
    tags: [...collections.map(({ name, description }) => ({ name, description })), ...SERVICE_TAGS],
    paths: Object.fromEntries(paths),
    components: {
      schemas: schemasIn(routes, shapes, version),
      responses: refusals(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token from `/tokens`.' },
        basic: { type: 'http', scheme: 'basic', description: 'Name and password of a user.' },
      },
    },
  }
}

function schemasIn(routes: readonly Route[], shapes: CompiledCollections, version: string): Record<string, object> {
  const actions = routes.flatMap(({ methods }): Action[] => [...methods.values()])
  return Object.assign(
    {},
    COMMON_SCHEMAS,
    ...[...shapes.values()].map((shape) => schemasOf(shape, version)),
    ...actions.flatMap((action) => [payloadSchemas(action), schemaWithin(action, version)]),
  )
}

const ADMINISTRATOR: Caller = {
  subject: 'user:6cc5a5f38e8387ca7fde8b60a8ea4bb0',
  name: 'ada',
  userId: 1,
  customerId: undefined,
  roles: ['admin'],
  scopes: new Set(ALL_SCOPES),
  mark: '',
  scheme: 'Bearer',
  clientId: undefined,
}

// Examples are what a caller sees who may do everything.
function exampleContext(version: string, base: string): RenderContext {
  return {
    base,
    version,
    caller: ADMINISTRATOR,
    can: () => true,
    mayFollow: () => true,
    fields: undefined,
    embedded: undefined,
  }
}
