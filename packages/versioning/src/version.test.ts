import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../internal/testing/any-text.ts'
import { compareVersions, parseVersion, type VersionNumber, type VersionScheme } from './version.ts'

const read = (text: string, scheme: VersionScheme): VersionNumber => {
  const version = parseVersion(text, scheme)
  if (!version) throw new Error(`${text} is no ${scheme}`)
  return version
}

describe('parseVersion', () => {
  test.each([
    ['integer', ['1', '2', '10', 'v2', 'V2', '999999999999999']],
    ['date', ['2026-01-31', 'v2026-01-31', '2024-02-29']],
    ['semver', ['1', '1.4', '1.4.0', 'v1.4.0', '0.0.1', '1.0.0-beta.2', '1.0.0-x-y']],
  ] as const)('parses versions of the scheme %s', (scheme, texts) => {
    for (const text of texts) expect(parseVersion(text, scheme), text).toBeDefined()
  })

  test.each([
    ['integer', ['', '0', '02', '-1', '+1', '1.0', '1e3', ' 1', '1 ', '１', 'vv1', 'v', '9'.repeat(16), '__proto__']],
    ['date', ['', '2026-1-31', '2026-02-30', '2025-02-29', '2026-13-01', '20260131', '2026-01-31T00:00', '2026-00-10']],
    ['semver', ['', '1.', '.1', '1.2.3.4', '01.2.3', '1.2-beta', '1.0.0-', '1.0.0-a..b', '1.0.0+build', 'x', '-1.0.0']],
  ] as const)('parses nothing else as the scheme %s', (scheme, texts) => {
    for (const text of texts) expect(parseVersion(text, scheme), JSON.stringify(text)).toBeUndefined()
  })

  test('never throws, for any input', () => {
    fc.assert(
      fc.property(anyText(), fc.constantFrom('integer', 'date', 'semver'), (text, scheme) => {
        const version = parseVersion(text, scheme)
        expect(version === undefined || version.parts.every(Number.isSafeInteger)).toBe(true)
      }),
    )
  })
})

describe('compareVersions', () => {
  test('orders numbers by value, not by digits', () => {
    expect(compareVersions(read('10', 'integer'), read('9', 'integer'))).toBeGreaterThan(0)
    expect(compareVersions(read('2026-02-01', 'date'), read('2026-01-31', 'date'))).toBeGreaterThan(0)
  })

  test('orders prereleases by Semantic Versioning 2.0.0 §11.4', () => {
    const ordered = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11']
    const all = [...ordered, '1.0.0-rc.1', '1.0.0', '1.0.1', '1.1.0', '2.0.0']
    const shuffled = all.toReversed().sort((a, b) => compareVersions(read(a, 'semver'), read(b, 'semver')))
    expect(shuffled).toEqual(all)
  })

  test('is antisymmetric and transitive', () => {
    const part = fc.nat({ max: 3 })
    const prerelease = fc.constantFrom('', '-a', '-a.1', '-1', '-2.b')
    const version = fc
      .tuple(part, part, part, prerelease)
      .map(([major, minor, patch, end]) => read(`${major}.${minor}.${patch}${end}`, 'semver'))
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0)
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0)
      }),
    )
  })
})
