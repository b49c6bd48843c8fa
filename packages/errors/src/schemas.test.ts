import { defineProblems, httpError, toProblem, toRecord, validationError } from '@svc/errors'
import { errorRecordSchema, openApiComponents, problemSchema, problemSchemas } from '@svc/errors/schemas'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const ajv = new Ajv2020({ formats: { 'date-time': true, uri: true } })
const errors = [
  httpError(404),
  validationError([{ path: ['a'], message: 'bad' }]),
  new Error('x'),
  null,
  httpError(403, 'No.', { extensions: { balance: 3 } }),
]

describe('the JSON Schemas', () => {
  test.each(errors)('accept the record and the problem of %s', (error) => {
    expect(ajv.validate(errorRecordSchema, toRecord(error, { path: '/a' }))).toBe(true)
    expect(ajv.validate(errorRecordSchema, toRecord(error, { path: '/a', strict: true }))).toBe(true)
    expect(ajv.validate(problemSchema, toProblem(error, { path: '/a' }))).toBe(true)
  })

  test('describe the pointer of a record and of a problem', () => {
    const { schemas } = openApiComponents()
    const describePointer = (schema: unknown): unknown =>
      (schema as { properties: { errors: { items: { properties: { pointer: object } } } } }).properties.errors.items
        .properties.pointer
    expect(describePointer(schemas['ErrorRecord'])).toMatchObject({
      description: expect.stringMatching(/^JSON Pointer/),
    })
    expect(describePointer(schemas['Problem'])).toMatchObject({ description: expect.stringMatching(/^URI fragment/) })
  })

  test('reject anything else', () => {
    expect(ajv.validate(errorRecordSchema, { ...toRecord(null, { path: '/a' }), status: 200 })).toBe(false)
    expect(ajv.validate(errorRecordSchema, { message: 'x' })).toBe(false)
    expect(ajv.validate(problemSchema, toRecord(null, { path: '/a' }))).toBe(false)
  })
})

describe('the schemas of a catalog', () => {
  const problems = defineProblems({
    outOfCredit: { status: 403, title: 'Out of credit', extensions: z.object({ balance: z.number() }) },
    soldOut: { status: 409, type: 'https://api.example/problems/sold-out' },
  })
  const schemas = problemSchemas(problems)

  test('accept only their problems', () => {
    const problem = toProblem(problems.outOfCredit({ balance: 3 }), { path: '/a' })
    const validate = ajv.compile(schemas['outOfCredit'] ?? {})
    expect(validate(problem)).toBe(true)
    expect(validate({ ...problem, balance: 'x' })).toBe(false)
    expect(validate({ ...problem, balance: undefined })).toBe(false)
    expect(validate({ ...problem, status: 404 })).toBe(false)
    expect(ajv.validate(schemas['soldOut'] ?? {}, toProblem(problems.soldOut(), { path: '/a' }))).toBe(true)
  })

  test('have no references, also for recursive members', () => {
    const node = z.object({
      name: z.string(),
      get children() {
        return z.array(node)
      },
    })
    const shared = z.object({ max: z.number() }).meta({ id: 'Limit' })
    const { a } = problemSchemas(
      defineProblems({ a: { status: 409, extensions: node.extend({ tree: node, limit: shared }) } }),
    )
    expect(JSON.stringify(a)).not.toContain('$ref')
    const validate = ajv.compile(a ?? {})
    const members = { name: 'a', children: [], tree: { name: 'b', children: [] }, limit: { max: 1 } }
    const problem = { ...toProblem(httpError(409, 'No.', { code: 'A' }), { path: '/a' }), ...members }
    expect(validate(problem)).toBe(true)
    expect(validate({ ...problem, name: 5 })).toBe(false)
    expect(validate({ ...problem, tree: undefined })).toBe(false)
  })

  test('omit members that JSON Schema does not have', () => {
    const { a } = problemSchemas(defineProblems({ a: { status: 409, extensions: z.object({ until: z.date() }) } }))
    const problem = toProblem(httpError(409, 'No.', { code: 'A' }), { path: '/a' })
    expect(ajv.validate(a ?? {}, { ...problem, until: '2026-11-21T00:00:00.000Z' })).toBe(true)
    expect(ajv.validate(a ?? {}, { ...problem, status: 404 })).toBe(false)
  })

  test('are components of an OpenAPI document', () => {
    const components = openApiComponents(problems)
    expect(Object.keys(components.schemas)).toEqual(['ErrorRecord', 'Problem', 'outOfCredit', 'soldOut'])
    expect(Object.keys(openApiComponents().schemas)).toEqual(['ErrorRecord', 'Problem'])
    expect(components.responses.Error).toMatchObject({
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    })
  })
})
