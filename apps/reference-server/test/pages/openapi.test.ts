import { isDeepStrictEqual } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Service, startService } from '../service.ts'

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: { name: string; in: string; description?: string }[]
  requestBody?: { content: Record<string, MediaType> }
  responses: Record<string, Response>
  'x-export-responses'?: Record<string, Response>
}

interface MediaType {
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface Schema {
  $ref?: string
  anyOf?: Schema[]
  allOf?: Schema[]
  examples?: unknown[]
}

interface Response {
  $ref?: string
  headers?: Record<string, unknown>
  description?: string
  content?: Record<string, MediaType>
}

interface Linked {
  _links?: Record<string, { href: string }>
}

interface Document {
  info: { version: string }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> }
}

// Items that exist for each variable; an order with a tracking is a shipped one.
const EXISTING: Readonly<Record<string, string>> = {
  '/orders/{id}/tracking': '2',
  '/problems/{code}': 'not-found',
  '/rels/{name}': 'cancel',
}

// These are empty until a client sends something.
const EMPTY = ['/notifications/{id}', '/operations/{id}', '/operations/{id}/result', '/soap-events/{id}']

describe.each(['1', '2'])('the OpenAPI document of version %s', (version) => {
  let service: Service
  let text: string
  let document: Document
  beforeAll(async () => {
    service = await startService()
    const answer = await service.check({ path: `/v${version}/openapi.json` }, { status: 200 })
    text = answer.text
    document = resolve(JSON.parse(text))
  })
  afterAll(() => service.running.stop())

  test('is one by the schema of OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(JSON.parse(text))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
  })

  test('has each part once, and stays small', () => {
    expect(text.length).toBeLessThan(300_000)
    expect(document.info.version).toBe(version)
    expect(document.servers.map(({ url }) => url)).toEqual([`/v${version}`])
  })

  test('is also YAML, at an address of its own and by Accept', async () => {
    const yaml = { status: 200, headers: { 'content-type': 'application/yaml' } }
    const { text: addressed } = await service.check({ path: `/v${version}/openapi.yaml` }, yaml)
    expect(parse(addressed)).toEqual(JSON.parse(text))
    const accept = { headers: { accept: 'application/yaml' } }
    const { text: negotiated } = await service.check({ path: `/v${version}/openapi.json`, ...accept }, yaml)
    expect(negotiated).toBe(addressed)
    expect(addressed).not.toMatch(/^\s*(?:- )?\w*: [&*]\w/m)
    const json = { path: `/v${version}/openapi.yaml`, headers: { accept: 'application/json' } }
    expect(JSON.parse((await service.check(json, { status: 200 })).text)).toEqual(JSON.parse(text))
    await service.check({ path: '/employees/1', as: 'ada', ...accept }, { status: 406 })
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

  test('describes every operation with its body and responses, and shows examples that fit', () => {
    const validate = validatorOf(document)
    const tags = new Map(document.tags.map(({ name, description }) => [name, description]))
    const missing: string[] = []
    for (const { pointer, operation } of operationsIn(document)) {
      const { operationId, summary, description, parameters, requestBody, responses } = operation
      const need = (what: string, isThere: unknown): void => void (isThere || missing.push(`${operationId}: ${what}`))
      need('operationId', /^[a-z]+[A-Za-z]*$/.test(operationId))
      need('summary', summary.length > 8 && !summary.includes('/'))
      need('description', description.endsWith('.'))
      need(
        'tag',
        operation.tags.every((tag) => tags.get(tag)),
      )
      for (const { name, description: about } of parameters) need(`description of ${name}`, about)
      const look = (content: Record<string, MediaType> = {}, ...path: string[]): void => {
        for (const [type, media] of Object.entries(content)) {
          need(`schema of ${path.join(' ')} ${type}`, media.schema && Object.keys(media.schema).length > 0)
          const shown = examplesOf(media, document)
          need(`example of ${path.join(' ')} ${type}`, shown.length > 0 || !JSON_TYPES.includes(type))
          for (const example of shown) {
            const errors = validate([...pointer, ...path, 'content', type, 'schema'], example)
            need(`example of ${path.join(' ')} ${type} ${errors}`, errors === undefined)
          }
        }
      }
      look(requestBody?.content, 'requestBody')
      for (const [status, response] of Object.entries(responses)) {
        need(`description of ${status}`, response.description)
        if (response.content) need('JSON first', isJsonFirst(operationId, Object.keys(response.content)))
        look(response.content, 'responses', status)
      }
    }
    for (const [name, schema] of Object.entries(document.components.schemas))
      for (const field of undescribed(schema)) missing.push(`${name}: description of ${field}`)
    expect(missing).toEqual([])
  })

  test('describes only the headers and errors that operations have, and XML as text', () => {
    const operations = operationsIn(document).map(({ operation }) => operation)
    const token = operations.find(({ operationId }) => operationId === 'createToken')
    expect(token?.parameters.map(({ name }) => name)).not.toContain('If-Match')
    expect(Object.keys(token?.responses ?? {})).not.toContain('422')
    const text = { type: 'string' }
    for (const { operationId, requestBody, responses } of operations) {
      expect(responses['204']?.headers?.['ETag'], operationId).toBeUndefined()
      // The schema of JSON has other names for the root and for what lists contain.
      expect(requestBody?.content['application/xml']?.schema ?? text, operationId).toEqual(text)
      if (responses['202']) expect(responses['202'].content, operationId).toHaveProperty(['application/xml'])
    }
  })

  test('shows the seed data in its examples', async () => {
    const differing: string[] = []
    let compared = 0
    for (const { pointer, operation } of operationsIn(document)) {
      const media = operation.responses['200']?.content?.['application/json']
      const [example] = (media ? examplesOf(media, document) : []) as (Linked | undefined)[]
      const self = example?._links?.['self']?.href
      const [, path = '', method] = pointer
      if (method !== 'get' || self === undefined || path.startsWith('/operations') || path === '/cart') continue
      if (path.startsWith('/soap-events') || path.startsWith('/notifications')) continue
      const { text } = await service.check({ as: 'ada', path: self }, { status: 200 })
      const shown = JSON.parse(text)
      const isList = 'page' in shown || path === '/problems' || path === '/rels'
      const firstOf = (body: unknown): unknown => (isList ? (body as { items: unknown[] }).items[0] : body)
      const isSame = isDeepStrictEqual(withoutSubject(firstOf(shown)), withoutSubject(firstOf(example)))
      // A view shows whatever belongs to its parent.
      if (!isSame && !(isList && path.includes('{')))
        differing.push(`${path}: ${JSON.stringify(firstOf(shown))} ${JSON.stringify(firstOf(example))}`)
      compared++
    }
    expect(differing).toEqual([])
    expect(compared).toBeGreaterThan(30)
  })

  test('describes what every GET answers, in every media type, also in part and refused', async () => {
    const validateWhole = validatorOf(document)
    const validatePart = validatorOf(withoutRequired(document) as Document)
    const known = await knownIds(service)
    const problems: string[] = []
    const others = new Set<string>()
    let checked = 0
    for (const [path, { get }] of Object.entries(document.paths)) {
      if (!get) continue
      const types = Object.keys(get.responses['200']?.content ?? {})
      const isCollection = get.parameters.some(({ name }) => name === 'fields')
      const calls = [
        ...types.map((accept) => ({ query: '', headers: { accept } })),
        ...(isCollection ? types.map((accept) => ({ query: '?fields=id', headers: { accept } })) : []),
        ...ERROR_TYPES.map((accept) => ({ query: '?nope=1', headers: { accept } })),
      ]
      for (const { query, headers } of calls) {
        const address = `/v${version}${addressOf(path, known)}${query}`
        const answer = await service.check({ as: userOf(path), path: address, headers }, {})
        const { status, text } = answer
        if (status !== 200 && query === '') others.add(`${status} ${path}`)
        if (status === 302) continue
        const type = answer.headers['content-type']?.split(';')[0] ?? ''
        const key = statusIn(get.responses, status)
        const content = get.responses[key]?.content
        if (!content?.[type]) problems.push(`${address} ${headers.accept}: ${status} ${type} is not described`)
        else {
          const body = type.endsWith('json') ? JSON.parse(text) : text
          // A client that selects fields knows that the others are missing.
          const validate = status === 200 && query.startsWith('?fields') ? validatePart : validateWhole
          const errors = validate(['paths', path, 'get', 'responses', key, 'content', type, 'schema'], body)
          if (errors) problems.push(`${address} ${headers.accept}: ${errors}`)
          checked++
        }
      }
    }
    expect(problems).toEqual([])
    expect([...others].sort()).toEqual(EMPTY.map((path) => `404 ${path}`).sort())
    expect(checked).toBeGreaterThan(500)
  })

  test('accepts the examples of its requests', async () => {
    const refused: string[] = []
    for (const { pointer, operation } of operationsIn(document)) {
      const [, path = '', member = ''] = pointer
      for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) {
        const [example] = examplesOf(media, document)
        if (!type.endsWith('json')) continue
        const headers = { 'content-type': type, prefer: 'tx=rollback', 'idempotency-key': `"${type}${path}${member}"` }
        const address = `/v${version}${addressOf(path, await knownIds(service))}`
        const call = {
          as: userOf(path),
          method: methodOf(member),
          path: address,
          headers,
          body: JSON.stringify(example),
        }
        const { status, text } = await service.check(call, {})
        if (status === 400 || status === 415 || status === 422)
          refused.push(`${operation.operationId} ${type}: ${text}`)
      }
    }
    expect(refused).toEqual([])
  })

  // The last one: it changes and deletes what the others look at.
  test('describes every status that its operations answer', async () => {
    const answered = new Map<string, Set<number>>()
    const missing = new Set<string>()
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [member, operation] of Object.entries(methods)) {
        const { requestBody } = operation
        const responses = { ...operation.responses, ...operation['x-export-responses'] }
        const method = methodOf(member)
        const type = { 'content-type': Object.keys(requestBody?.content ?? {})[0] ?? 'text/plain' }
        const address = `/v${version}${addressOf(path, {})}`
        for (const { as, headers, body = '{}', query = '' } of [
          ...variations(type),
          ...(requestBody ? bodyVariations(type) : []),
        ]) {
          const call = { ...(as && { as }), method, path: address + query, headers, body }
          const { status } = await service.check(call, {})
          if (!Object.hasOwn(responses, statusIn(responses, status))) missing.add(`${status} ${method} ${path}`)
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
    '{',
    '{"status":"SHIPPED"}',
    '{"name":"Sales","department":"x","salary":-1}',
    '{"name":"Sales"}',
    'grant_type=client_credentials',
    'x'.repeat(1024 * 1024 + 1),
  ]
  return [
    { as: 'ada', headers: { 'content-type': 'text/x' } },
    { as: 'ada', headers: { ...type, 'content-encoding': 'compress' } },
    ...bodies.map((body) => ({ ...known, body })),
  ]
}

// What a client can be shown an example of; a JSON Patch and a merge patch are shown too.
const JSON_TYPES = ['application/json', 'application/merge-patch+json', 'application/json-patch+json']

/** Examples of a media type: its own, else those of its schema. */
function examplesOf({ example, examples, schema }: MediaType, document: Document): unknown[] {
  if (example !== undefined) return [example]
  return examples ? Object.values(examples).map(({ value }) => value) : schemaExamples(schema, document)
}

function schemaExamples({ $ref, anyOf, examples }: Schema, { components }: Document): unknown[] {
  const target = $ref === undefined ? anyOf?.[0] : components.schemas[$ref.split('/').at(-1) ?? '']
  return examples ?? (target ? schemaExamples(target, { components } as Document) : [])
}

/** The key of a status among responses: itself, or its class. */
function statusIn(responses: Readonly<Record<string, Response>>, status: number): string {
  return Object.hasOwn(responses, status) ? String(status) : `${String(status)[0]}XX`
}

/** The document with everything but schemas where it is referenced. */
function resolve(document: Document): Document {
  const inner = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(inner)
    const { $ref } = value as { $ref?: string }
    if ($ref === undefined || $ref.startsWith('#/components/schemas/'))
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inner(member)]))
    const steps = $ref.split('/').slice(1)
    const target = steps.reduce<unknown>((from, step) => (from as Record<string, unknown>)[step], document)
    expect(target, $ref).toBeDefined()
    return inner(target)
  }
  return inner(document) as Document
}

// OpenAPI 3.1 has no place for QUERY.
function methodOf(member: string): string {
  return member.replace('x-', '').toUpperCase()
}

const ERROR_TYPES = [
  'application/json',
  'application/problem+json',
  'application/problem+xml',
  'application/xml',
  'text/html',
  'text/plain',
]

function operationsIn({ paths }: Document): { pointer: string[]; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([member, operation]) => ({ pointer: ['paths', path, member], operation })),
  )
}

/**
 * Returns what is wrong with a value by the schema at a place of the document; `undefined`:
 * nothing.
 */
function validatorOf(document: Document): (pointer: readonly string[], value: unknown) => string | undefined {
  // 4769.89 / 0.01 is not an integer in binary.
  const ajv = new Ajv2020.default({ strict: false, allErrors: true, multipleOfPrecision: 6 })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  return (pointer, value) => {
    const steps = pointer.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    const validate = ajv.getSchema(`document#/${steps.join('/')}`)
    if (!validate) throw new Error(`nothing at ${pointer.join(' ')}`)
    return validate(value) ? undefined : ajv.errorsText(validate.errors)
  }
}

// A set of links has a type of its own, which is what a client gets who accepts everything.
function isJsonFirst(operationId: string, types: readonly string[]): boolean {
  return operationId === 'getOperationResult' || types[0]?.split(';')[0] === 'application/json'
}

/** A schema, or what contains schemas, in which nothing is required. */
function withoutRequired(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutRequired)
  const entries = Object.entries(value).filter(([name, member]) => name !== 'required' || !Array.isArray(member))
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutRequired(member)]))
}

/** Names of the properties that nothing explains, on every level. */
function undescribed(schema: object, name = ''): string[] {
  const {
    properties = {},
    items,
    description,
    $ref,
  } = schema as {
    properties?: Record<string, object>
    items?: object
    description?: string
    $ref?: string
  }
  const own = name === '' || /^(?:amount|currency|page|_\w+|\[\])$/.test(name) || description || $ref ? [] : [name]
  const inner = Object.entries(properties).flatMap(([key, value]) => undescribed(value, key))
  return [...own, ...inner, ...(items ? undescribed(items, '[]') : [])]
}

function withoutSubject(value: unknown): object {
  return { ...Object(value), subject: undefined }
}

function addressOf(path: string, known: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, () => known[path] ?? EXISTING[path] ?? '1')
}

/** A cart and what is in it belong to a customer. */
function userOf(path: string): string {
  return path.startsWith('/cart') ? 'carl' : 'ada'
}

/** Ids of items that do not exist until a client creates one. */
async function knownIds(service: Service): Promise<Record<string, string>> {
  const { text } = await service.check({ as: 'ada', path: '/orders/1/items' }, { status: 200 })
  const item = String(JSON.parse(text).items[0]?.id)
  return { '/orders/{orderId}/items/{id}': item }
}
