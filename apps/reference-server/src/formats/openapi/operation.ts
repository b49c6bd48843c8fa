import { type Operation, schemaReference } from './components.ts'
import { buildErrorResponses } from './errors.ts'
import { bodyExample, patchExamples } from './examples.ts'
import { buildParameters, buildPathParameters, type PathOwners } from './parameters.ts'
import { addExportResponse, buildResponses } from './responses.ts'
import { newNameWithin, patchName, schemaNames } from './schemas.ts'

/** Returns the description of one operation, as its route declares it. */
export function describeOperation(operation: Operation, owners: PathOwners): Record<string, unknown> {
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
  const name = nameBody(operation)
  const content = types.map((type) => [
    type,
    type === 'application/json-patch+json'
      ? { schema: schemaReference('JsonPatch'), example: patchExamples(findBodyExample(operation)).json }
      : { schema: schemaReference(name) },
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

function nameBody({ method, action }: Operation): string {
  const { takes, shape, operationId, pathField } = action
  if (method === 'QUERY') return 'Query'
  if (pathField !== undefined) return newNameWithin(operationId)
  if (takes) return method === 'PATCH' ? patchName(takes) : takes.name
  if (!shape) throw new TypeError(`openapi: ${operationId} does not declare its body`)
  const { create, update, patch } = schemaNames(shape)
  return method === 'POST' ? create : method === 'PUT' ? update : patch
}
