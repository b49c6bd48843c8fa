import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countEdits, findNearName, nearHint } from './near-name.ts'

const parameters = ['page', 'size', 'cursor', 'sort', 'fields', 'embed', 'department', 'salary', 'city']

describe('findNearName()', () => {
  test.each<[string, string | undefined, string]>([
    ['siez', 'size', 'two neighbors exchanged'],
    ['soze', 'size', 'one letter'],
    ['Size', 'size', 'the case'],
    ['dep', 'department', 'a prefix'],
    ['departmentName', 'department', 'a longer name'],
    ['deparmtent', 'department', 'an exchange in a long name'],
    ['x', undefined, 'nothing'],
    ['', undefined, 'no name'],
    ['foo', undefined, 'another word'],
    ['__proto__', undefined, 'a name of objects'],
    ['a'.repeat(100_000), undefined, 'a long text'],
  ])('%.20s means %s', (name, near) => {
    expect(findNearName(name, parameters)).toBe(near)
  })

  test('prefers the closest', () => {
    expect(findNearName('gte', ['gt', 'lte', 'gtee'])).toBe('gt')
    expect(findNearName('citi', ['cite', 'city'])).toBe('cite')
  })

  test('makes a question of it', () => {
    expect(nearHint('siez', parameters)).toEqual({ key: 'headline.near', params: { near: 'size' } })
    expect(nearHint('foo', parameters)).toBeUndefined()
  })
})

describe('countEdits()', () => {
  const word = fc.string({ maxLength: 12 })

  test('is a distance: symmetric, and 0 for equal words alone', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = countEdits(a, b)
        expect(countEdits(b, a)).toBe(distance)
        expect(distance === 0).toBe(a === b)
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length))
      }),
    )
  })

  test('stops at a limit', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 12 }), (a, b, limit) => {
        expect(countEdits(a, b, limit)).toBe(Math.min(countEdits(a, b), limit))
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 }), fc.nat(9), (a, limit) => {
        const b = [...a].reverse().join('')
        expect(countEdits(a, b, limit)).toBe(Math.min(countEdits(a, b), limit))
      }),
    )
  })

  test.each<[string, string, number]>([
    ['siez', 'size', 1],
    ['ab', 'ba', 1],
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
  ])('%s and %s differ in %i', (a, b, count) => {
    expect(countEdits(a, b)).toBe(count)
  })
})
