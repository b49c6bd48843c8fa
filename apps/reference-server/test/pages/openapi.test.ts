import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../service.ts'

interface Operation {
  operationId: string
  security: Record<string, string[]>[]
  parameters: { name: string; in: string }[]
  requestBody?: { content: Record<string, object> }
  responses: Record<string, Response>
}

interface Response {
  $ref?: string
  content?: Record<string, { schema: object }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; responses: Record<string, Response> }
}

// Items that exist for each variable; an order with a tracking is a shipped one.
const EXISTING: Readonly<Record<string, string>> = { '/orders/{id}/tracking': '2' }

// Nothing is in these until somebody sends something.
const EMPTY = ['/notifications/{id}', '/operations/{id}', '/operations/{id}/result', '/soap-events/{id}']

describe.each(['1', '2'])('the OpenAPI document of version %s', (version) => {
  let service: Service
  let document: Document
  beforeAll(async () => {
    service = await startService()
    const { text } = await service.check({ path: `/v${version}/openapi.json` }, { status: 200 })
    document = JSON.parse(text)
  })
  afterAll(() => service.running.stop())

  test('is one by the schema of OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate({ ...document })
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
  })

  test('names each operation once and declares each variable of a path', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation })),
    )
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const { path, parameters } of operations) {
      const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      expect(declared, path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    }
  })

  test('lists the methods that the service allows, and asks for credentials where the service does', async () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const { headers } = await service.check({ method: 'OPTIONS', path: addressOf(path, {}) }, { status: 204 })
      const allowed = (headers['allow'] ?? '').split(', ').filter((name) => !['HEAD', 'OPTIONS'].includes(name))
      expect(Object.keys(methods).map(methodOf).sort(), path).toEqual(allowed.sort())
      const get = methods['get']
      if (!get) continue
      const { status } = await service.check({ path: addressOf(path, {}) }, {})
      expect(status === 401, `${path} without credentials: ${status}`).toBe(get.security.length > 0)
    }
  })

  test('describes what every GET answers', async () => {
    const ajv = new Ajv2020.default({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema(document, 'document')
    const known = await knownIds(service)
    const others: string[] = []
    let checked = 0
    for (const [path, { get }] of Object.entries(document.paths)) {
      if (!get) continue
      const address = addressOf(path, known)
      const { status, text, headers } = await service.check({ as: userOf(path), path: `/v${version}${address}` }, {})
      if (status !== 200) others.push(`${status} ${path}`)
      if (status === 302) continue
      const type = headers['content-type']?.split(';')[0] ?? ''
      const answer = get.responses[status]
      const described = answer && '$ref' in answer ? document.components.responses[status] : answer
      const schema = described?.content?.[type]?.schema
      expect(schema, `${status} ${type} of ${path}`).toBeDefined()
      const isValid = ajv.compile({ ...schema, $id: `document-${checked}`, ...absolute(schema) })
      expect(isValid(JSON.parse(text)), `${address}: ${JSON.stringify(isValid.errors?.slice(0, 3))}`).toBe(true)
      checked++
    }
    expect(others.sort()).toEqual(['302 /users/me', ...EMPTY.map((path) => `404 ${path}`)])
    expect(checked).toBeGreaterThan(30)
  })

  // The last one: it changes and deletes what the others look at.
  test('describes every status that its operations answer', async () => {
    const answered = new Map<string, Set<number>>()
    const missing = new Set<string>()
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [member, { responses, requestBody }] of Object.entries(methods)) {
        const method = methodOf(member)
        const type = { 'content-type': Object.keys(requestBody?.content ?? {})[0] ?? 'text/plain' }
        const address = `/v${version}${addressOf(path, {})}`
        for (const { as, headers, body = '{}', query = '' } of [
          ...variations(type),
          ...(requestBody ? bodyVariations(type) : []),
        ]) {
          const call = { ...(as && { as }), method, path: address + query, headers, body }
          const { status } = await service.check(call, {})
          if (!Object.hasOwn(responses, status)) missing.add(`${status} ${method} ${path}`)
          answered.set(path, (answered.get(path) ?? new Set()).add(status))
        }
      }
    }
    expect([...missing]).toEqual([])
    const statuses = new Set([...answered.values()].flatMap((all) => [...all]))
    expect([...statuses].sort()).toEqual([200, 201, 202, 204, 302, 400, 401, 403, 404, 406, 409, 412, 413, 415, 422])
  })
})

interface Variation {
  as?: string
  headers: Record<string, string>
  body?: string
  query?: string
}

/** A request in many forms, right and wrong. */
function variations(type: Record<string, string>): Variation[] {
  const known = { as: 'ada', headers: { ...type, 'idempotency-key': '"a"' } }
  return [
    ...[{}, { as: 'sam' }, { as: 'carl' }].map((caller) => ({ ...caller, headers: type })),
    { as: 'ada', headers: { ...type, accept: 'image/webp' } },
    { as: 'ada', headers: { ...type, accept: 'text/csv', prefer: 'respond-async' } },
    { ...known, query: '?nope=1' },
    { as: 'ada', headers: { ...known.headers, 'if-match': '"old"' } },
    known,
    known,
  ]
}

/** The same, where something is done with a body. */
function bodyVariations(type: Record<string, string>): Variation[] {
  const known = { as: 'ada', headers: { ...type, 'idempotency-key': '"b"' } }
  const bodies = [
    ...['{', '{"status":"SHIPPED"}', '{"name":"Sales","department":"x","salary":-1}', '{"name":"Sales"}'],
    ...['grant_type=client_credentials', 'x'.repeat(1024 * 1024 + 1)],
  ]
  return [
    { as: 'ada', headers: { 'content-type': 'text/x' } },
    { as: 'ada', headers: { ...type, 'content-encoding': 'compress' } },
    ...bodies.map((body) => ({ ...known, body })),
  ]
}

// OpenAPI 3.1 has no place for QUERY.
function methodOf(member: string): string {
  return member.replace('x-', '').toUpperCase()
}

// References of a part of the document are those of the document.
function absolute(schema: object | undefined): object {
  const reference = (schema as { $ref?: string } | undefined)?.$ref
  return reference === undefined ? {} : { $ref: `document${reference}` }
}

function addressOf(path: string, known: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, () => known[path] ?? EXISTING[path] ?? '1')
}

/** A cart and what is in it belong to a customer. */
function userOf(path: string): string {
  return path.startsWith('/cart') ? 'carl' : 'ada'
}

/** Ids of items that exist nowhere until somebody makes one. */
async function knownIds(service: Service): Promise<Record<string, string>> {
  const { text } = await service.check({ as: 'ada', path: '/orders/1/items' }, { status: 200 })
  const item = String(JSON.parse(text).items[0]?.id)
  return { '/orders/{orderId}/items/{id}': item }
}
