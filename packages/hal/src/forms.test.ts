import { type FormDefinition, type JsonSchema, resource } from '@svc/hal'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toHtmlPattern } from './html-pattern.ts'

const formOf = (form: FormDefinition<{ id: number }, object>) =>
  resource<{ id: number }>('item', { self: '/items/{id}', links: { act: { href: '/items/{id}/act', form } } }).forms({
    id: 1,
  })._templates.act

const properties = (members: Record<string, JsonSchema>, rest: JsonSchema = {}) =>
  formOf({ schema: { type: 'object', properties: members, ...rest } })?.properties

describe('fields of a JSON Schema', () => {
  test.each<[string, JsonSchema, object]>([
    ['text with bounds', { type: 'string', minLength: 1, maxLength: 100 }, { minLength: 1, maxLength: 100 }],
    ['a pattern', { type: 'string', pattern: '^[A-Z]+$' }, { regex: '^[A-Z]+$' }],
    ['a number', { type: 'number', minimum: 0, maximum: 9.5 }, { type: 'number', min: 0, max: 9.5 }],
    [
      'an integer',
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 5 },
      { type: 'number', min: 1, max: 4, step: 1 },
    ],
    ['a step', { type: 'number', multipleOf: 0.01 }, { type: 'number', step: 0.01 }],
    ['an enum', { enum: ['a', 1] }, { options: { inline: ['a', '1'], maxItems: 1 } }],
    [
      'a list of an enum',
      { type: 'array', items: { enum: ['a'] }, maxItems: 2 },
      { options: { inline: ['a'], maxItems: 2 } },
    ],
    [
      'a boolean',
      { type: 'boolean', default: true },
      { value: 'true', options: { inline: ['true', 'false'], maxItems: 1 } },
    ],
    ['an e-mail address', { type: 'string', format: 'email' }, { type: 'email' }],
    ['a URL', { type: 'string', format: 'uri' }, { type: 'url' }],
    ['a date', { type: 'string', format: 'date' }, { type: 'date' }],
    ['a date-time stays text', { type: 'string', format: 'date-time' }, {}],
    ['a secret', { type: 'string', writeOnly: true }, { type: 'password' }],
    ['read only', { type: 'string', readOnly: true }, { readOnly: true }],
    ['a title', { type: 'string', title: 'Name' }, { prompt: 'Name' }],
    ['a constant', { const: 'x' }, { type: 'hidden', value: 'x' }],
    ['or null', { type: ['number', 'null'] }, { type: 'number' }],
    ['a choice of two types', { anyOf: [{ type: 'integer' }, { type: 'string', maxLength: 2 }] }, {}],
    ['or null as a choice', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, { type: 'number', step: 1 }],
    [
      'the bounds of exact integers',
      { type: 'integer', maximum: Number.MAX_SAFE_INTEGER },
      { type: 'number', step: 1 },
    ],
    ['several parts', { allOf: [{ minLength: 2 }, { maxLength: 3 }] }, { minLength: 2, maxLength: 3 }],
    ['a pattern that HTML has no form of', { type: 'string', pattern: '^[z-a]$' }, {}],
    ['keywords of the wrong type', { minLength: '1', enum: 'x', pattern: 1 } as JsonSchema, {}],
  ])('%s', (_, schema, expected) => {
    expect(properties({ field: schema })).toEqual([{ name: 'field', ...expected }])
  })

  test('mark required fields', () => {
    expect(properties({ name: { minLength: 1, maxLength: 100 }, note: {} }, { required: ['name'] })).toEqual([
      { name: 'name', required: true, minLength: 1, maxLength: 100 },
      { name: 'note' },
    ])
  })

  test('follow references, even circular ones', () => {
    const schema = {
      $ref: '#/$defs/a~1b',
      $defs: {
        'a/b': { properties: { x: { $ref: '#/$defs/x' }, y: { $ref: '#/$defs/y' }, z: { $ref: 'http://z' } } },
        x: { maxLength: 3 },
        y: { $ref: '#/$defs/y' },
      },
    }
    expect(formOf({ schema })?.properties).toEqual([{ name: 'x', maxLength: 3 }, { name: 'y' }, { name: 'z' }])
    for (const circle of ['anyOf', 'allOf']) {
      const rest: object = { $defs: { x: { [circle]: [{ $ref: '#/$defs/x' }] } } }
      expect(properties({ x: { $ref: '#/$defs/x' } }, rest)).toEqual([{ name: 'x' }])
    }
  })

  test.each(['#/$defs/none', '#/none/of/these', '#/title/length'])('ignore the reference %s to nothing', ($ref) => {
    const schema = { title: 'T', properties: { x: { $ref, maxLength: 3 } } }
    expect(formOf({ schema })?.properties).toEqual([{ name: 'x', maxLength: 3 }])
  })

  test('combine the members of all parts of a schema', () => {
    const schema = {
      allOf: [
        { properties: { a: {} }, required: ['a'] },
        { properties: { b: {} }, required: ['b'] },
      ],
    }
    expect(formOf({ schema })?.properties).toEqual([
      { name: 'a', required: true },
      { name: 'b', required: true },
    ])
  })

  test('treat a member named __proto__ as a field', () => {
    const schema: JsonSchema = JSON.parse('{"properties":{"__proto__":{"maxLength":1}}}')
    expect(formOf({ schema })?.properties).toEqual([{ name: '__proto__', maxLength: 1 }])
  })
})

describe('the schema of a validation library', () => {
  const Employee = z.object({
    name: z.string().min(1).max(100).meta({ title: 'Name' }),
    salary: z.number().min(0).max(10_000_000),
    department: z.enum(['Sales', 'IT']),
    managerId: z.int().positive().optional(),
  })

  test('gives the form the rules of the validator', () => {
    expect(formOf({ method: 'PUT', schema: Employee })).toEqual({
      method: 'PUT',
      target: '/items/1/act',
      properties: [
        { name: 'name', prompt: 'Name', required: true, minLength: 1, maxLength: 100 },
        { name: 'salary', required: true, type: 'number', min: 0, max: 10_000_000 },
        { name: 'department', required: true, options: { inline: ['Sales', 'IT'], minItems: 1, maxItems: 1 } },
        { name: 'managerId', type: 'number', min: 1, step: 1 },
      ],
    })
  })

  test('is rejected without JSON Schema', () => {
    expect(() => formOf({ schema: { '~standard': {} } as never })).toThrow(
      'schema must be of a library with "~standard".jsonSchema',
    )
  })
})

describe('templates', () => {
  interface Order {
    id: number
    status: string
    note?: string | null
  }
  const order = resource<Order, { base?: string; may?: boolean }>('order', {
    self: '/orders/{id}',
    form: {
      method: 'PATCH',
      title: 'Change',
      schema: { properties: { note: { maxLength: 9 }, status: {} } },
      values: (o) => o,
      when: (_, { may = true }) => may,
    },
    links: {
      cancel: {
        href: '/orders/{id}/cancellation',
        when: (o) => o.status === 'PAID',
        form: { properties: { reason: { type: 'textarea', rows: 3 } }, method: 'POST' },
      },
      find: { href: '/orders', form: { contentType: 'application/x-www-form-urlencoded' } },
    },
  })

  test('belong to links, and contain the values of the item', () => {
    expect(order.forms({ id: 1, status: 'PAID', note: 'x' }, { base: '/v1' })._templates).toEqual({
      default: {
        title: 'Change',
        method: 'PATCH',
        target: '/v1/orders/1',
        properties: [
          { name: 'note', maxLength: 9, value: 'x' },
          { name: 'status', value: 'PAID' },
        ],
      },
      cancel: {
        method: 'POST',
        target: '/v1/orders/1/cancellation',
        properties: [{ name: 'reason', type: 'textarea', rows: 3 }],
      },
      find: { method: 'GET', contentType: 'application/x-www-form-urlencoded', target: '/v1/orders', properties: [] },
    })
  })

  test('are absent if the link is, or if the user is not allowed', () => {
    expect(Object.keys(order.forms({ id: 1, status: 'SHIPPED' }, { may: false })._templates)).toEqual(['find'])
  })

  test('are not part of plain HAL', () => {
    expect(order.render({ id: 1, status: 'PAID' })).not.toHaveProperty('_templates')
    expect(order.stringify({ id: 1, status: 'PAID' })).not.toContain('_templates')
  })

  test.each<[object, string]>([
    [{ href: '/x', form: { method: 'HEAD' } }, 'method must be one of GET,POST,PUT,PATCH,DELETE, got "HEAD"'],
    [{ href: '/x', form: { contentType: 'text/x' } }, 'contentType must be one of'],
    [{ href: '/x', form: { shema: {} } }, 'unknown option "shema", did you mean "schema"?'],
    [{ href: '/x', form: { schema: { properties: { a: {} } }, properties: { b: {} } } }, 'unknown option "b"'],
    [{ href: '/x', form: { schema: [] } }, 'schema must be a JSON Schema object'],
    [{ href: '/x', form: { schema: 5 } }, 'hal: form of link "act" of x: schema must be a JSON Schema object'],
    [{ href: '/x', form: { schema: { '~standard': null } } }, 'schema must be of a library with'],
    [
      { href: '/x', form: { schema: z.object({ at: z.date() }) } },
      'hal: form of link "act" of x: schema must be convertible to JSON Schema: Date cannot be',
    ],
    [{ href: '/x', form: { title: 5 } }, 'hal: form of link "act" of x: title must be a string, got 5'],
    [{ href: '/x', form: { values: {} } }, 'hal: form of link "act" of x: values must be a function, got an object'],
    [{ href: '/x', form: 5 }, 'hal: link "act" of x: form must be an object, got 5'],
    [{ href: '/x{?a}', templated: true, form: {} }, 'the link must not be many or templated'],
    [{ href: '/x', many: true, form: {} }, 'the link must not be many'],
  ])('rejects %j', (link, message) => {
    expect(() => resource('x', { self: '/x', links: { act: link as never } })).toThrow(message)
  })
})

test('select the values of a list, and keep constants', () => {
  const schema = z.object({ kind: z.literal('cancel'), roles: z.array(z.enum(['a', 'b'])), tags: z.array(z.string()) })
  const user = resource<object>('user', { self: '/users/1', form: { schema, values: (item) => item } })
  const item = { kind: 'user', roles: ['b', null], tags: ['x'], version: 3 }
  expect(user.forms(item)._templates['default']?.properties).toEqual([
    { name: 'kind', required: true, type: 'hidden', value: 'cancel' },
    { name: 'roles', required: true, options: { inline: ['a', 'b'], selectedValues: ['b'] } },
    { name: 'tags', required: true },
  ])
})

test('never have the value of a write-only field', () => {
  const schema = { properties: { name: { type: 'string' }, password: { type: 'string', writeOnly: true } } }
  const user = resource<object>('user', { self: '/users/1', form: { schema, values: (item) => item } })
  expect(user.forms({ name: 'ada', password: '$2b$10$hash' })._templates['default']?.properties).toEqual([
    { name: 'name', value: 'ada' },
    { name: 'password', type: 'password' },
  ])
})

test.each<[string, unknown, object]>([
  ['number', 1234, { type: 'integer' }],
  ['list', ['x'], { type: 'array', items: { enum: ['x'] } }],
  ['value of several types', 'canary', { type: ['string', 'integer'] }],
])('never have a write-only %s, or one whose type is overridden', (_kind, secret, rules) => {
  const schema = { properties: { secret: { ...rules, writeOnly: true }, note: { type: 'string', writeOnly: true } } }
  const user = resource<object>('user', {
    self: '/users/1',
    form: { schema, values: (item) => item, properties: { note: { type: 'textarea' } } },
  })
  const text = JSON.stringify(user.forms({ secret, note: 'canary' })._templates)
  expect(text).not.toMatch(/"value"|selectedValues|canary/)
})

test('do not read methods of the item as values', () => {
  const schema = { type: 'object', properties: { constructor: { type: 'string' }, toString: {} } }
  const { forms } = resource<{ id: number }>('x', { self: '/x/{id}', form: { schema, values: (x) => x } })
  expect(forms({ id: 1 })._templates['default']?.properties).toEqual([{ name: 'constructor' }, { name: 'toString' }])
})

test.each([
  ['^[A-Z]+$', '^[A-Z]+$'],
  ['^(?:a|b)$', '^(?:a|b)$'],
  ['^[|]$', '^[\\|]$'],
  ['^[A-Z0-9-]{1,3}$', '^[A-Z0-9\\-]{1,3}$'],
  ['^[^-a(&&]+$', '^[^\\-a\\(&\\&]+$'],
  ['^[\\]|\\-]$', '^[\\]\\|\\-]$'],
  ['^[\\p{L}\\p{N} ]+$', '^[\\p{L}\\p{N} ]+$'],
  ['^[\\u{41}-\\u{5a}]+$', '^[\\u{41}-\\u{5a}]+$'],
  ['^[]$', '^[]$'],
  ['^\\|$', '^\\|$'],
  ['abc', '.*(?:abc).*'],
  ['^a|b$', '.*(?:^a|b$).*'],
  ['^a\\$', '.*(?:^a\\$).*'],
  ['^a\\\\$', '^a\\\\$'],
])('converts pattern %s to %s, which HTML matches with the whole value', (pattern, expected) => {
  expect(toHtmlPattern(pattern)).toBe(expected)
  for (const value of ['A', 'a', 'b', 'xabcx', 'ab', '|', 'a$', 'a\\', '-', 'A-', '&', '(', ']']) {
    expect(new RegExp(`^(?:${expected})$`, 'v').test(value), value).toBe(new RegExp(pattern, 'u').test(value))
  }
})

test.each(['^[\\w-.]+$', '^[\\d-x]+$', '^[\\d-]+$'])(
  'converts pattern %s, in which a hyphen follows a set of characters',
  (pattern) => {
    const expected = toHtmlPattern(pattern) ?? ''
    for (const value of ['a', '-', '.', 'x', '1', 'é', ' '])
      expect(new RegExp(`^(?:${expected})$`, 'v').test(value), value).toBe(new RegExp(pattern).test(value))
  },
)
