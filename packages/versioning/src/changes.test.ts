import { versioning } from '@svc/versioning'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

interface Employee1 {
  name: string
  salary: number
}
interface Employee2 {
  name: string
  salary: { amount: string; currency: string }
}
interface Employee3 {
  firstName: string
  lastName: string
  salary: { amount: string; currency: string }
}

function makeApi() {
  const api = versioning({ versions: ['1', '2', '3'], retired: { '4': {} } })
  api.addChange('3', {
    description: 'The name is two fields.',
    resource: 'employee',
    items: 'items',
    up: ({ name, ...rest }: Partial<Employee2>): Partial<Employee3> => {
      const [firstName = '', ...last] = (name ?? '').split(' ')
      return { ...rest, ...(name !== undefined && { firstName, lastName: last.join(' ') }) }
    },
    down: ({ firstName, lastName, ...rest }: Employee3): Employee2 => ({ ...rest, name: `${firstName} ${lastName}` }),
  })
  api.addChange('2', {
    description: 'A salary has a currency.',
    resource: 'employee',
    items: 'items',
    up: ({ salary, ...rest }: Partial<Employee1>): Partial<Employee2> => ({
      ...rest,
      ...(salary !== undefined && { salary: { amount: salary.toFixed(2), currency: 'EUR' } }),
    }),
    down: ({ salary, ...rest }: Employee2): Employee1 => ({ ...rest, salary: Number(salary.amount) }),
  })
  return api
}

describe('changes', () => {
  const api = makeApi()
  const newest = { firstName: 'Ada', lastName: 'King Lovelace', salary: { amount: '10.50', currency: 'EUR' } }
  const oldest = { name: 'Ada King Lovelace', salary: 10.5 }

  test('are composed from an older version to the newest, in any order of definition', () => {
    expect(api.up('1', 'employee', oldest)).toEqual(newest)
    expect(api.up('2', 'employee', { name: 'Ada B' })).toEqual({ firstName: 'Ada', lastName: 'B' })
    expect(api.up('3', 'employee', newest)).toBe(newest)
  })

  test('apply in the order of their versions, and of their definition within one', () => {
    const ordered = versioning({ versions: ['1', '2', '3'] })
    for (const [version, mark] of [
      ['3', 'c'],
      ['2', 'a'],
      ['2', 'b'],
    ] as const)
      ordered.addChange(version, {
        description: mark,
        resource: 'x',
        up: ({ marks }: { marks: string }) => ({ marks: marks + mark }),
        down: ({ marks }: { marks: string }) => ({ marks: marks + mark }),
      })
    expect(ordered.up('1', 'x', { marks: '' })).toEqual({ marks: 'abc' })
    expect(ordered.down('1', 'x', { marks: '' })).toEqual({ marks: 'cba' })
  })

  test('are composed back down', () => {
    expect(api.down('1', 'employee', newest)).toEqual(oldest)
    expect(api.down('2', 'employee', newest)).toEqual({ name: 'Ada King Lovelace', salary: newest.salary })
    expect(api.down('3', 'employee', newest)).toBe(newest)
  })

  test('apply to each item of a page and of a list', () => {
    expect(api.down('1', 'employee', { items: [newest, newest], page: { number: 0 } })).toEqual({
      items: [oldest, oldest],
      page: { number: 0 },
    })
    expect(api.down('1', 'employee', [newest])).toEqual([oldest])
    expect(api.down('1', 'employee', [])).toEqual([])
  })

  test.each([[undefined], [null]])('do not change %j', (body) => {
    expect(api.down('1', 'employee', body)).toBe(body)
    expect(api.up('1', 'employee', body)).toBe(body)
  })

  test('do not change other resources', () => {
    const body = { a: 1 }
    expect(api.down('1', 'order', body)).toBe(body)
    expect(api.up('1', '__proto__', body)).toBe(body)
  })

  test('preserve any employee in a round trip', () => {
    const word = fc.string({ unit: 'grapheme-ascii' }).map((text) => text.replaceAll(' ', '_'))
    const cents = fc.integer({ min: 0, max: 10_000_000 }).map((amount) => amount / 100)
    fc.assert(
      fc.property(word, word, cents, (first, last, salary) => {
        const body = { name: `${first} ${last}`, salary }
        expect(api.down('1', 'employee', api.up('1', 'employee', body))).toEqual(body)
      }),
    )
  })

  test.each([
    ['a body', {}],
    ['an item of a list', [{}]],
    ['an item of a page', { items: [{}] }],
  ])('throw if %s becomes a promise', (_what, body) => {
    const waiting = versioning({ versions: ['1', '2'] })
    const wait = async (): Promise<never> => Promise.reject(new Error('mine'))
    waiting.addChange('2', { description: 'Waits.', resource: 'a', items: 'items', up: wait, down: wait })
    const error = expect.objectContaining({ status: 500, code: 'ERR_VERSIONING_TRANSFORM_FAILED' })
    expect(() => waiting.up('1', 'a', body)).toThrow(error)
    expect(() => waiting.down('1', 'a', body)).toThrow(error)
  })

  test('of one version keep their order', () => {
    const two = versioning({ versions: ['1', '2'] })
    const add = (mark: string) => ({
      description: mark,
      resource: 'word',
      up: (text: string) => text + mark,
      down: (text: string) => text.slice(0, text.lastIndexOf(mark)),
    })
    two.addChange('2', add('a'))
    two.addChange('2', add('b'))
    expect(two.up('1', 'word', '-')).toBe('-ab')
    expect(two.down('1', 'word', '-ab')).toBe('-')
  })

  test('have types', () => {
    const typed = versioning({ versions: ['1', '2'] })
    typed.addChange('2', {
      description: 'Typed.',
      resource: 'a',
      up: (older: { a: number }): { b: number } => ({ b: older.a }),
      // @ts-expect-error down does not accept the newer format of up
      down: (newer: { c: string }) => ({ a: newer.c.length }),
    })
    expect(typed.up('1', 'a', { a: 1 })).toEqual({ b: 1 })
  })
})

test.each([
  ['9', { description: 'x' }, 'version must be a supported version, got "9"'],
  ['4', { description: 'x' }, 'version must be a supported version, got "4"'],
  ['1', { description: 'x' }, 'version must not be the oldest one, got "1"'],
  ['2', {}, 'description of a change of version "2" must be a sentence'],
  ['2', { description: 'x', up: (body: unknown) => body }, 'with up or down must have a resource or paths'],
  ['2', { description: 'x', resource: '/employees' }, 'resource must be a name, got "/employees"; did you mean paths?'],
  ['2', { description: 'x', paths: ['employees'] }, 'paths of a change must begin with a slash, got "employees"'],
  ['2', { description: 'x', resource: 'a', downn: () => 1 }, 'unknown option "downn", did you mean "down"?'],
  ['2', { description: 'x', resource: 'a', up: 'x' }, 'change of version "2": up must be a function, got "x"'],
  ['2', { description: 'x', paths: '/x' }, 'change of version "2": paths must be an array of strings, got "/x"'],
  ['2', { description: 'x', paths: [5] }, 'change of version "2": paths must be an array of strings, got an array'],
  ['2', { description: 'x', resource: 5 }, 'change of version "2": resource must be a string, got 5'],
  ['2', { description: 'x', items: 5 }, 'change of version "2": items must be a string, got 5'],
])('rejects at startup for version %s the change %j', (version, change, message) => {
  expect(() => makeApi().addChange(version as '2', change as never)).toThrow(TypeError)
  expect(() => makeApi().addChange(version as '2', change as never)).toThrow(message)
})

test('lists the changes of each version, and the ends of versions', () => {
  const api = versioning({
    versions: ['1', '2', '3', '5'],
    retired: { '4': {} },
    deprecated: { '1': { since: new Date('2026-01-02'), sunset: new Date('2027-01-02') } },
  })
  api.addChange('2', { description: 'A salary has\n a currency.', resource: 'employee', paths: ['/employees/*'] })
  api.addChange('2', { description: 'Errors are problem documents.' })
  api.addChange('5', { description: 'Names have two parts.' })
  expect(api.changelog()).toBe(`# Changes of the API

## 5

- Names have two parts.

## 4 (no longer supported)

## 3

No breaking changes.

## 2

- A salary has a currency. (\`employee\`, \`/employees/*\`)
- Errors are problem documents.

## 1 (deprecated 2026-01-02, sunset 2027-01-02)

The oldest supported version.
`)
})
