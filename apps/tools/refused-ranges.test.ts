import { describe, expect, test } from 'vitest'
import { refusedRanges } from './refused-ranges.ts'

const manifest = (version: string, peer: string, node = '>=20', saxes = '^6.0.0') => ({
  name: '@svc/x',
  version,
  engines: { node },
  peerDependencies: { '@svc/errors': peer },
  dependencies: { saxes },
})

describe('what a release took and the next one refuses', () => {
  test.each([
    {
      what: 'a wider peer',
      before: manifest('1.2.0', '^1.0.0'),
      after: manifest('1.2.1', '^1.0.0 || ^2.0.0'),
      refused: 0,
    },
    {
      what: 'another major of a peer',
      before: manifest('1.0.0', '^1.2.0'),
      after: manifest('1.0.1', '^2.0.0'),
      refused: 1,
    },
    {
      what: 'the same, in a major',
      before: manifest('1.0.0', '^1.2.0'),
      after: manifest('2.0.0', '^2.0.0'),
      refused: 0,
    },
    {
      what: 'the same, in a minor of 0.x',
      before: manifest('0.1.0', '^1.2.0'),
      after: manifest('0.2.0', '^2.0.0'),
      refused: 0,
    },
    {
      what: 'a newer minor of a peer',
      before: manifest('1.0.0', '^1.2.0'),
      after: manifest('1.1.0', '^1.3.0'),
      refused: 1,
    },
    {
      what: 'a Node line dropped',
      before: manifest('1.0.0', '^1.0.0'),
      after: manifest('1.1.0', '^1.0.0', '>=22'),
      refused: 1,
    },
    {
      what: 'a dependency moved',
      before: manifest('1.0.0', '^1.0.0'),
      after: manifest('1.1.0', '^1.0.0', '>=20', '^7.0.0'),
      refused: 1,
    },
  ])('$what: $refused', ({ before, after, refused }) => {
    expect(refusedRanges(before, after, 'library')).toHaveLength(refused)
  })

  test.each([
    ['1.0.0', 'major', 0],
    ['1.0.0', 'minor', 1],
    ['0.1.0', 'minor', 0],
    ['0.1.0', 'patch', 1],
  ] as const)('at %s with a pending %s: %i', (version, size, refused) => {
    const after = manifest(version, '^2.0.0')
    expect(refusedRanges(manifest(version, '^1.0.0'), after, 'library', size)).toHaveLength(refused)
  })

  test("an application's dependencies are its own affair", () => {
    const after = manifest('1.1.0', '^1.0.0', '>=20', '^7.0.0')
    expect(refusedRanges(manifest('1.0.0', '^1.0.0'), after, 'application')).toEqual([])
  })

  test('a new peer refuses nobody who had it not', () => {
    const { peerDependencies: _, ...before } = manifest('1.0.0', '^1.0.0')
    expect(refusedRanges(before, manifest('1.1.0', '^3.0.0'), 'library')).toEqual([])
  })
})
