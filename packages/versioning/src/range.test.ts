import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../internal/testing/any-text.ts'
import { parseRange } from './range.ts'
import { parseVersion, type VersionScheme } from './version.ts'

function matching(range: string, scheme: VersionScheme, names: readonly string[]): string[] | undefined {
  const isInRange = parseRange(range, scheme)
  return (
    isInRange &&
    names.filter((name) => {
      const version = parseVersion(name, scheme)
      return version !== undefined && isInRange(version)
    })
  )
}

test.each([
  ['*', ['1', '2', '3', '10']],
  ['x', ['1', '2', '3', '10']],
  ['latest', ['1', '2', '3', '10']],
  ['1.x', ['1']],
  ['1.x.x', ['1']],
  ['10.*', ['10']],
  ['^2', ['2']],
  ['~2', ['2']],
  ['=2', ['2']],
  ['v2', ['2']],
  ['>=2', ['2', '3', '10']],
  ['>= 2', ['2', '3', '10']],
  ['>2', ['3', '10']],
  ['<3', ['1', '2']],
  ['<=3', ['1', '2', '3']],
  ['>=1 <3', ['1', '2']],
  ['2 - 3', ['2', '3']],
  ['1 || 3', ['1', '3']],
  ['1||>=10', ['1', '10']],
  ['>3 <3', []],
  ['\t>=2\t', ['2', '3', '10']],
])('integer range %j is %j', (range, expected) => {
  expect(matching(range, 'integer', ['1', '2', '3', '10'])).toEqual(expected)
})

test.each([
  ['^1.2', ['1.2.0', '1.10.3']],
  ['~1.2', ['1.2.0']],
  ['~1', ['1.0.0', '1.2.0', '1.10.3']],
  ['1', ['1.0.0', '1.2.0', '1.10.3']],
  ['1.2.x', ['1.2.0']],
  ['^0.3.1', ['0.3.1', '0.3.9']],
  ['^0.0.2', ['0.0.2']],
  ['>1.2', ['1.10.3', '2.0.0']],
  ['<=1.2', ['0.0.2', '0.3.1', '0.3.9', '1.0.0', '1.2.0']],
  ['1.0 - 1.2', ['1.0.0', '1.2.0']],
  ['2.0.0-beta.1', ['2.0.0-beta.1']],
  ['>=2.0.0-beta.1', ['2.0.0']],
  ['>2.0.0-beta.1', ['2.0.0']],
  ['<=2.0.0-beta.1 >=1.2', ['1.2.0', '1.10.3']],
  ['1.10 - 2.0.0-beta.1', ['1.10.3']],
  ['^2.0.0-beta.1', ['2.0.0']],
  ['*', ['0.0.2', '0.3.1', '0.3.9', '1.0.0', '1.2.0', '1.10.3', '2.0.0']],
])('semver range %j is %j', (range, expected) => {
  const names = ['0.0.2', '0.3.1', '0.3.9', '1.0.0', '1.2.0', '1.10.3', '2.0.0-beta.1', '2.0.0']
  expect(matching(range, 'semver', names)).toEqual(expected)
})

test.each([
  ['>=2026-01-01', ['2026-01-31', '2026-06-30']],
  ['<2026-06-30', ['2025-12-01', '2026-01-31']],
  ['*', ['2025-12-01', '2026-01-31', '2026-06-30']],
  ['^2026-01-31', undefined],
  ['~2026-01-31', undefined],
  ['2026-01-31.x', undefined],
])('date range %j is %j', (range, expected) => {
  expect(matching(range, 'date', ['2025-12-01', '2026-01-31', '2026-06-30'])).toEqual(expected)
})

describe('parseRange', () => {
  test.each(['', ' ', '~x', '>=', '>=x', '>>1', '1 || ', '||', '1 - ', '- 1', '1 -2', '<1>2', '^', 'two', '1,2', '１'])(
    'rejects %j as malformed',
    (range) => {
      expect(parseRange(range, 'integer')).toBeUndefined()
    },
  )

  test('limits the length and the number of comparators', () => {
    expect(parseRange(`>=1${' '.repeat(300)}`, 'integer')).toBeUndefined()
    expect(parseRange(Array(17).fill('>=1').join(' '), 'integer')).toBeUndefined()
    expect(parseRange(Array(17).fill('1').join('||'), 'integer')).toBeUndefined()
  })

  test('never throws, for any input', () => {
    const piece = fc.constantFrom('1', '2.3.4', '>=', '<', '^', '~', ' ', '||', '-', ' - ', 'x', '.', 'v', '*', '-beta')
    const text = fc.oneof(
      anyText(),
      fc.array(piece).map((pieces) => pieces.join('')),
    )
    const version = parseVersion('1.2.3', 'semver')
    fc.assert(
      fc.property(text, fc.constantFrom('integer', 'date', 'semver'), (range, scheme) => {
        const isInRange = parseRange(range, scheme)
        expect([true, false, undefined]).toContain(version && isInRange?.(version))
      }),
    )
  })

  test('agrees with plain comparison for every pair of bounds', () => {
    const number = fc.integer({ min: 1, max: 20 })
    fc.assert(
      fc.property(number, number, number, (low, high, value) => {
        const version = parseVersion(String(value), 'integer')
        if (!version) throw new Error('no version')
        expect(parseRange(`>=${low} <${high}`, 'integer')?.(version)).toBe(value >= low && value < high)
        expect(parseRange(`>${low} || <=${high}`, 'integer')?.(version)).toBe(value > low || value <= high)
      }),
    )
  })
})
