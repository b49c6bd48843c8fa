import { type DemoUser, demoPassword } from '../../domain/seed/demo-users.ts'
import type { CompiledCollections, RenderContext } from '../../engine/compiled-collection.ts'
import { NO_REQUEST } from '../../engine/hal.ts'
import type { Route } from '../../engine/route.ts'
import { createUserCaller } from '../../security/caller.ts'
import { ALL_SCOPES } from '../../security/scopes.ts'
import type { Formats } from '../formats.ts'
import common from './common-components.json' with { type: 'json' }
import {
  bodyExample,
  createComponents,
  formsExample,
  type Operation,
  patchExamples,
  schemaReference,
} from './components.ts'
import { buildParameters, buildPathParameters, findPathOwners, type PathOwners } from './parameters.ts'
import { addExportResponse, buildErrorResponses, buildResponses, TEXT } from './responses.ts'
import { addCollectionSchemas, addCommonSchemas, bodySchema } from './schemas.ts'

export interface DocumentOptions {
  version: string
  versions: readonly string[]
  /** URL of the version: `https://api.example.com/v1`. */
  base: string
  formats: Pick<Formats, 'typesFor'>
  /** Users with public passwords, for everyone to try. */
  users: readonly DemoUser[]
}

// OpenAPI 3.1 has no QUERY: it is described as an extension.
const METHODS = { GET: 'get', PUT: 'put', POST: 'post', DELETE: 'delete', PATCH: 'patch', QUERY: 'x-query' }

/** Returns the OpenAPI 3.1 document of an API version, from its routes and declarations. */
export function buildOpenApi(
  routes: readonly Route[],
  shapes: CompiledCollections,
  { version, versions, base, formats, users }: DocumentOptions,
): Record<string, unknown> {
  const collections = [...shapes.values()].map(({ collection }) => collection)
  const owners = findPathOwners(collections)
  const context = createExampleContext(version, base)
  const components = createComponents()
  const [first] = shapes.values()
  addCommonSchemas(components, first && formsExample(first, context))
  for (const shape of shapes.values()) addCollectionSchemas(shape, context, components)
  const paths = routes.map(({ path, methods }): [string, object] => {
    const operations = Object.entries(METHODS).flatMap(([method, member]) => {
      const action = methods.get(method)
      if (!action) return []
      return [[member, describeOperation({ method, path, action, context, components, formats }, owners)]]
    })
    return [path, Object.fromEntries(operations)]
  })
  const tags = new Set(routes.flatMap(({ methods }) => [...methods.values()].map(({ tag }) => tag)))
  const isIssuer = tags.has('tokens')
  return {
    openapi: '3.1.1',
    info: { ...common.info, version, description: buildIntroduction({ version, versions, users, isIssuer }) },
    servers: [{ url: base || '/', description: `Version ${version} of this service` }],
    tags: [
      ...collections.map(({ name, description }) => ({ name, description })),
      ...common.tags.filter(({ name }) => tags.has(name)),
    ],
    paths: Object.fromEntries(paths),
    components: { ...components.sections, securitySchemes: buildSecuritySchemes(base, isIssuer) },
  }
}

interface Introduction extends Pick<DocumentOptions, 'version' | 'versions' | 'users'> {
  /** Whether the service issues the tokens that it accepts. */
  isIssuer: boolean
}

function buildIntroduction({ version, versions, users: [user], isIssuer }: Introduction): string {
  const name = user?.username ?? ''
  const demo = ` The demo has the user \`${name}\` with the password \`${demoPassword(name)}\`, and others.`
  return common.introduction
    .join('\n\n')
    .replace('{version}', version)
    .replace('{prefixes}', versions.map((each) => `/v${each}`).join(' and '))
    .replace('{source}', isIssuer ? ' from `POST /tokens`' : '')
    .replace('{demo}', user ? demo : '')
}

function buildSecuritySchemes(base: string, isIssuer: boolean): Record<string, object> {
  const ownTokens = {
    type: 'oauth2',
    description: 'Access token from `POST /tokens`, which is sent as a bearer token.',
    flows: { clientCredentials: { tokenUrl: `${base}/tokens`, scopes: describeScopes() } },
  }
  const description = 'Access token of the issuer that this service is configured for.'
  return {
    oauth2: isIssuer ? ownTokens : { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description },
    basic: { type: 'http', scheme: 'basic', description: 'Name and password of a user.' },
  }
}

function describeScopes(): Record<string, string> {
  const others: Readonly<Record<string, string>> = common.scopes
  return Object.fromEntries(
    ALL_SCOPES.map((scope) => {
      const [name = '', access] = scope.split(':')
      const noun = name.replace('-', ' ').replace('soap', 'SOAP')
      return [scope, others[scope] ?? `${access === 'read' ? 'Read' : 'Change'} ${noun}.`]
    }),
  )
}

const ADMINISTRATOR = createUserCaller({
  id: 1,
  subject: 'user:6cc5a5f38e8387ca7fde8b60a8ea4bb0',
  username: 'ada',
  roles: ['admin'],
  customerId: undefined,
})

// Examples are what an administrator sees.
function createExampleContext(version: string, base: string): RenderContext {
  return { ...NO_REQUEST, base, version, caller: ADMINISTRATOR, can: () => true, mayFollow: () => true }
}

function describeOperation(operation: Operation, owners: PathOwners): Record<string, unknown> {
  const { path, action } = operation
  const { scope, operationId, summary, description, tag } = action
  const body = buildBody(operation)
  const exported = addExportResponse(operation)
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    parameters: [...buildPathParameters(operation, owners), ...buildParameters(operation)],
    ...(body && { requestBody: body }),
    responses: { ...buildResponses(operation), ...buildErrorResponses(operation) },
    ...(exported && { 'x-export-responses': { 202: exported } }),
    security: buildSecurity(path, scope),
  }
}

function buildSecurity(path: string, scope: string | undefined): object[] {
  if (path === '/tokens') return [{ basic: [] }]
  return scope === undefined ? [] : [{ oauth2: [scope] }, { basic: [] }]
}

function buildBody(operation: Operation): object | undefined {
  const { method, action, components } = operation
  const types = action.accepts.filter(isDescribed)
  if (types.length === 0) return undefined
  const schema = bodySchema(operation)
  const content = types.map((type) => [
    type,
    type === 'application/json-patch+json'
      ? { schema: schemaReference('JsonPatch'), example: patchExamples(findBodyExample(operation)).json }
      : { schema: type === 'application/xml' ? TEXT : schema },
  ])
  const body = { required: true, content: Object.fromEntries(content) }
  return method === 'QUERY' ? components.add('requestBodies', 'Query', body) : body
}

// HAL types and `text/xml` are other names: what HAL clients read, they can send back.
function isDescribed(type: string): boolean {
  return !/[/.]hal|^text\/xml/.test(type)
}

function findBodyExample({ action: { takes, shape }, context }: Operation): Readonly<Record<string, unknown>> {
  return takes?.example ?? (shape ? bodyExample(shape, 'update', context) : {})
}
