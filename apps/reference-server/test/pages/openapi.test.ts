import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService } from '../service.ts'

interface Operation {
  operationId: string
  security: Record<string, string[]>[]
  parameters: { name: string; in: string }[]
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
      const allowed = (headers['allow'] ?? '')
        .split(', ')
        .filter((name) => !['HEAD', 'OPTIONS', 'QUERY'].includes(name))
      expect(
        Object.keys(methods)
          .map((name) => name.toUpperCase())
          .sort(),
        path,
      ).toEqual(allowed.sort())
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
})

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
