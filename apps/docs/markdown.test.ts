import { describe, expect, test } from 'vitest'
import { findSections, readTables, relink } from './markdown.ts'

describe('links between files become links between pages', () => {
  const pageByFile = new Map([
    ['packages/errors/README.md', 'packages/errors.md'],
    ['apps/docs/semver.md', 'semver.md'],
    ['apps/docs/codes/ERR_X.md', 'codes/ERR_X.md'],
  ])
  const dead: string[] = []
  const relinked = (text: string, file = 'apps/docs/guides/order.md', page = 'guides/order.md'): string =>
    relink(text, {
      file,
      page,
      pageByFile,
      isThere: (target) => target === 'apps/tools/api.ts',
      onDead: (_, link) => dead.push(link),
    })

  test.each([
    ['[a](../semver.md)', '[a](../semver.md)'],
    ['[a](../semver.md#lines)', '[a](../semver.md#lines)'],
    ['[a](../../../packages/errors)', '[a](../packages/errors.md)'],
    ['[a](../../../packages/errors/README.md)', '[a](../packages/errors.md)'],
    ['[a](../../tools/api.ts)', '[a](https://github.com/svc-js/svc/tree/main/apps/tools/api.ts)'],
    [
      '[a](https://example.org/x.md) [b](#here) [c](mailto:a@b)',
      '[a](https://example.org/x.md) [b](#here) [c](mailto:a@b)',
    ],
  ])('%s', (text, expected) => {
    expect(relinked(text)).toBe(expected)
  })

  test('also from a README, which moves to another place', () => {
    expect(relinked('[a](../../apps/docs/semver.md)', 'packages/hal/README.md', 'packages/hal.md')).toBe(
      '[a](../semver.md)',
    )
    expect(relinked('[a](../errors)', 'packages/hal/README.md', 'packages/hal.md')).toBe('[a](./errors.md)')
  })

  test('and those that lead nowhere are told', () => {
    relinked('[a](../semvre.md)')
    expect(dead).toEqual(['../semvre.md'])
  })
})

test('a section ends where the next one begins', () => {
  const markdown = '# T\n\n## Options\n\na\n\n### More\n\nb\n\n## Errors\n\nc\n'
  expect(findSections(markdown, /^Options$/)).toEqual([{ title: 'Options', text: 'a\n\n### More\n\nb' }])
  expect(findSections(markdown, /s$/).map(({ title }) => title)).toEqual(['Options', 'Errors'])
  expect(findSections(markdown, /^None$/)).toEqual([])
})

test('a table keeps a pipe that is escaped', () => {
  expect(readTables('| A | B |\n|---|---|\n| `x \\| y` | |\n')).toEqual([
    { titles: ['A', 'B'], rows: [['`x \\| y`', '']] },
  ])
})
