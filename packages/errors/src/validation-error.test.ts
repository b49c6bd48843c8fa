import { type Issue, validationError } from '@svc/errors'
import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod/v3'
import { classify } from './classify.ts'
import type { StandardSchema } from './standard-schema.ts'

const schemas: Record<string, StandardSchema> = {
  zod: z.strictObject({
    name: z.string().min(2).max(5),
    department: z.string(),
    salary: z.number().max(9),
    email: z.email().optional(),
    items: z.array(z.object({ quantity: z.number() })).optional(),
  }),
  'zod 3': z3
    .object({
      name: z3.string().min(2).max(5),
      department: z3.string(),
      salary: z3.number().max(9),
      email: z3.string().email().optional(),
      items: z3.array(z3.object({ quantity: z3.number() })).optional(),
    })
    .strict(),
  valibot: v.strictObject({
    name: v.pipe(v.string(), v.minLength(2), v.maxLength(5)),
    department: v.string(),
    salary: v.pipe(v.number(), v.maxValue(9)),
    email: v.optional(v.pipe(v.string(), v.email())),
    items: v.optional(v.array(v.object({ quantity: v.number() }))),
  }),
  arktype: type({
    name: '2 <= string <= 5',
    department: 'string',
    salary: 'number <= 9',
    'email?': 'string.email',
    'items?': type({ quantity: 'number' }).array(),
    '+': 'reject',
  }),
}

function issuesOf(schema: StandardSchema, value: unknown): readonly Issue[] {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise || !result.issues) throw new Error('it is valid')
  return result.issues
}

function thrownBy(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  throw new Error('it threw nothing')
}

const RIGHT = { name: 'Ann', department: 'IT', salary: 1 }

describe.each(Object.entries(schemas))('issues of %s', (_library, schema) => {
  test.each<[unknown, string[]]>([
    [{ salary: 'x' }, ['/department REQUIRED', '/name REQUIRED', '/salary TYPE']],
    [42, [' TYPE']],
    [{ ...RIGHT, salary: 10 }, ['/salary RANGE']],
    [{ ...RIGHT, name: 'canary-canary' }, ['/name LENGTH']],
    [{ ...RIGHT, name: '' }, ['/name LENGTH']],
    [{ ...RIGHT, email: 'canary' }, ['/email FORMAT']],
    [{ ...RIGHT, 'a/b~c': 1 }, ['/a~1b~0c UNKNOWN']],
    [JSON.parse('{"name":"Ann","department":"IT","salary":1,"__proto__":{"x":1}}'), ['/__proto__ UNKNOWN']],
    [{ ...RIGHT, items: [{ quantity: 1 }, { quantity: 'canary' }] }, ['/items/1/quantity TYPE']],
  ])('of %j have a pointer (RFC 6901) and a code for each value', (value, expected) => {
    const error = validationError(issuesOf(schema, value))
    const entries = error.errors ?? []
    const named = entries.map(({ pointer, code }) => `${pointer} ${code}`)
    expect(named.sort()).toEqual(expected)
    expect(error).toMatchObject({ status: 400, code: 'VALIDATION_FAILED', expose: true })
    expect(JSON.stringify(entries)).not.toContain('canary')
  })

  test('have a human-readable field within lists', () => {
    const value = { ...RIGHT, items: [{ quantity: 'x' }] }
    expect(validationError(issuesOf(schema, value)).errors).toMatchObject([
      { field: 'items[0].quantity', location: 'body', detail: expect.stringMatching(/number/) },
    ])
  })
})

describe('details of valibot and zod 3', () => {
  test.each<[string, StandardSchema, unknown, string]>([
    ['valibot', v.string('Enter 1 of 12 names'), 1, 'Enter 1 of 12 names'],
    ['zod 3', z3.literal('x'), 'e', 'Invalid literal value, expected "x"'],
    ['zod 3', z3.number({ invalid_type_error: 'a string is not a number' }), 'canary', 'a string is not a number'],
  ])('keep a message of %s that contains the value by chance', (_name, schema, input, detail) => {
    expect(validationError(issuesOf(schema, input)).errors).toMatchObject([{ detail }])
  })

  const translated = v.pipe(v.string(), v.email('Erwartet E-Mail, aber "canary" empfangen'))

  test.each<[string, StandardSchema, unknown, string]>([
    ['valibot', v.string(), 4111, 'Invalid type: Expected string'],
    ['valibot', v.picklist(['a']), 'canary', 'Invalid type: Expected "a"'],
    ['zod 3', z3.enum(['a', 'b']), "canary'", "Invalid enum value. Expected 'a' | 'b'"],
    ['zod 3', z3.enum(['a', 'b']), '', "Invalid enum value. Expected 'a' | 'b'"],
    ['valibot in another language', translated, 'canary', 'has the wrong format'],
  ])('do not contain the value that a message of %s quotes', (_name, schema, input, detail) => {
    expect(validationError(issuesOf(schema, input)).errors).toMatchObject([{ detail }])
  })
})

describe('details of arktype', () => {
  const value = 'hunter-two'
  const reject = (problem: object) => type({ a: type('string').narrow((_text, context) => context.reject(problem)) })

  test.each<[string, StandardSchema, unknown, string]>([
    ['an intersection', type({ a: '/\\d/ & string >= 12' }), value, 'must be matched by \\d and at least length 12'],
    ['an intersection', type({ a: 'number.integer & number >= 50' }), 41.11, 'must be an integer and at least 50'],
    ['a union', type({ a: "'admin' | 'user'" }), value, 'must be "admin" or "user"'],
    ['a union', type({ a: 'string.email | string.ip' }), value, 'must be an email address or an IP address'],
    ['a union without branches', type({ a: 'never' }), value, 'must be never'],
    ['a union of numbers', type({ a: '1 | 2 | 3' }), 4111, 'must be 1, 2 or 3'],
    ['a union of objects', type({ a: type({ b: "'x'" }).or({ c: "'y'" }) }), { b: value }, 'must be valid'],
    ['a parsed string', type({ a: 'string.json.parse' }), value, 'must be a JSON string'],
    ['a parsed string', type({ a: 'string.json' }), value.repeat(9), 'must be a JSON string'],
    ['a parsed string', type({ a: 'string.regex' }), `${value}(`, 'is not valid'],
    ['a parsed string', type({ a: 'string.regex' }), '(', 'is not valid'],
    ['an empty string', type({ a: 'string > 0' }), '', 'must be non-empty'],
    ['a message of the app', reject({ message: 'This name is taken.' }), value, 'This name is taken.'],
    ['a message with the value', reject({ message: `${value} is taken.` }), value, 'is not valid'],
    ['an array without a text', type({ a: 'unknown[] <= 0' }), [{ toString: 1 }], 'has the wrong length'],
    ['an expectation with the value', reject({ expected: `not ${value}` }), value, 'is not valid'],
  ])('of %s are a sentence without the value', (_issue, schema, a, detail) => {
    expect(validationError(issuesOf(schema, { a })).errors?.map((entry) => entry.detail)).toEqual([detail])
  })

  test.each([
    ['a list', type("('a' | 'b')[]"), [value], '/0'],
    ['a name like a message', type({ '[string]': "'a' | 'b'" }), { 'must be x (was y)': value }, '/must be x (was y)'],
    ['the whole value', type("'a' | 'b'"), value, ''],
  ])('do not contain the path of %s', (_name, schema, input, pointer) => {
    expect(validationError(issuesOf(schema, input)).errors).toMatchObject([{ pointer, detail: 'must be "a" or "b"' }])
  })

  test('do not contain the value of a union that assert() throws', () => {
    const error = thrownBy(() => type({ a: "'a' | 'b'", b: '/[0-9]/ & string >= 12' }).assert({ a: value, b: value }))
    expect(classify(error).errors).toHaveLength(2)
    expect(JSON.stringify(classify(error))).not.toContain(value)
  })
})

describe('errors of the libraries', () => {
  test.each<[string, () => unknown]>([
    ['zod', () => z.object({ salary: z.number() }).parse({ salary: 'canary' })],
    ['valibot', () => v.parse(v.object({ salary: v.number() }), { salary: 'canary' })],
    ['arktype', () => type({ salary: 'number' }).assert({ salary: 'canary' })],
  ])('%s: are 400 with entries, and do not repeat the value', (_library, parse) => {
    const classification = classify(thrownBy(parse))
    expect(classification).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/salary', field: 'salary', code: 'TYPE' }],
    })
    expect(JSON.stringify(classification)).not.toContain('canary')
  })
})

describe('validationError()', () => {
  test('is 422 for kind semantic', () => {
    const issue = { path: ['salary'], message: 'must not be negative', code: 'RANGE' }
    expect(validationError([issue], { kind: 'semantic', location: 'query' })).toMatchObject({
      status: 422,
      code: 'BUSINESS_RULE',
      errors: [
        { pointer: '/salary', location: 'query', field: 'salary', code: 'RANGE', detail: 'must not be negative' },
      ],
    })
  })

  test('accepts a code and a message', () => {
    const error = validationError([], { kind: 'semantic', code: 'INSUFFICIENT_FUNDS', message: 'Not enough.' })
    expect([error.code, error.message]).toEqual(['INSUFFICIENT_FUNDS', 'Not enough.'])
  })

  test('recognizes a missing value by the input, regardless of the library', () => {
    const issues = [{ path: ['a', 'b'], message: 'bad' }, { path: ['c'], message: 'bad' }, { message: 'bad' }]
    const entries = validationError(issues, { value: { a: {}, c: null } }).errors
    expect(entries?.map((entry) => entry.code)).toEqual(['REQUIRED', 'INVALID', 'INVALID'])
  })

  test('lists at most 50, and truncates long strings of a client', () => {
    const issues = Array.from({ length: 200 }, (_, at) => ({ path: [at, 'x'.repeat(999)], message: 'y'.repeat(999) }))
    const entries = validationError(issues).errors ?? []
    expect(entries).toHaveLength(50)
    expect(JSON.stringify(entries).length).toBeLessThan(50 * 800)
  })

  test('accepts segments of the form { key }, and symbols', () => {
    const entries = validationError([{ path: [{ key: 'a' }, Symbol('b')], message: 'bad' }]).errors
    expect(entries?.[0]).toMatchObject({ pointer: '/a/Symbol(b)', field: 'a.Symbol(b)' })
  })

  test('rejects an unsupported kind', () => {
    expect(() => validationError([], { kind: 'other' as 'syntax' })).toThrow('errors: kind must be')
  })

  test.each<[unknown[], string]>([
    [[], 'errors: validationError: issues must be an array, got undefined'],
    [[{ issues: [] }], 'errors: validationError: issues must be an array, got an object'],
    [[[], null], 'errors: validationError: options must be an object, got null'],
    [[[], { knid: 'syntax' }], 'errors: validationError: unknown option "knid", did you mean "kind"?'],
    [[[], { location: 'boby' }], "errors: location must be one of 'body', 'query', 'header', 'path', got \"boby\""],
    [[[], { message: 5 }], 'errors: message must be a string, got 5'],
  ])('rejects the arguments %j', (args, message) => {
    const call = validationError as (...args: unknown[]) => unknown
    expect(() => call(...args)).toThrow(TypeError)
    expect(() => call(...args)).toThrow(message)
  })

  test('builds a pointer that leads to the value (RFC 6901)', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ maxLength: 9 }), fc.nat(9)), { maxLength: 5 }), (path) => {
        const pointer = validationError([{ path, message: 'bad' }]).errors?.[0]?.pointer ?? ''
        const tokens = pointer.split('/').slice(1)
        const back = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
        expect(back).toEqual(path.map(String))
      }),
    )
  })
})
