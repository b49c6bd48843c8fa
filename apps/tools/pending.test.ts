import { describe, expect, test } from 'vitest'
import { findSize, isAtLeast, missingHeadings, neededSize, readChangeset } from './pending.ts'

const changeset = (content: string) => {
  const read = readChangeset('.changeset/x.md', content)
  if (!read) throw new Error('no changeset')
  return read
}

describe('a changeset is read', () => {
  test.each([
    ['---\n"@svc/errors": minor\n---\n\nText.\n', [['@svc/errors', 'minor']], 'Text.'],
    [
      "---\n'@svc/errors': patch\n'@svc/hal': major\n---\nA\n\nB",
      [
        ['@svc/errors', 'patch'],
        ['@svc/hal', 'major'],
      ],
      'A\n\nB',
    ],
    ['---\nplain: patch\n---\n', [['plain', 'patch']], ''],
    ['---\n"@svc/errors": huge\n---\n\n--- not a head\n', [], '--- not a head'],
  ])('%j', (content, sizes, text) => {
    expect([...changeset(content).sizes]).toEqual(sizes)
    expect(changeset(content).text).toBe(text)
  })

  test('a file without a head is none', () => {
    expect(readChangeset('README.md', '# Changesets\n')).toBeUndefined()
  })
})

test('the largest of several sizes counts, for its package alone', () => {
  const all = [changeset('---\n"a": minor\n"b": major\n---\n'), changeset('---\n"a": patch\n---\n')]
  expect(findSize('a', all)).toBe('minor')
  expect(findSize('b', all)).toBe('major')
  expect(findSize('c', all)).toBeUndefined()
})

describe('the size that a change of what is promised needs', () => {
  test.each([
    ['same', '1.4.0', 'patch'],
    ['grew', '1.4.0', 'minor'],
    ['shrank', '1.4.0', 'major'],
    ['shrank', '10.0.0', 'major'],
    ['grew', '0.3.0', 'minor'],
    ['shrank', '0.3.0', 'minor'],
  ] as const)('%s at %s: %s', (change, version, size) => {
    expect(neededSize(change, version, [])).toBe(size)
  })

  test('a changed line that a changeset calls compatible needs a minor', () => {
    const minor = '---\n"a": minor\n---\n\n'
    expect(neededSize('shrank', '1.0.0', [changeset(`${minor}Compatible: the union is wider.`)])).toBe('minor')
    expect(neededSize('shrank', '1.0.0', [changeset(`${minor}Compatible:`)])).toBe('major')
    expect(neededSize('shrank', '1.0.0', [changeset(`${minor}It is not Compatible: no.`)])).toBe('major')
  })

  test('a larger one will do, a smaller one will not', () => {
    expect(isAtLeast('major', 'minor')).toBe(true)
    expect(isAtLeast('minor', 'minor')).toBe(true)
    expect(isAtLeast('patch', 'minor')).toBe(false)
  })
})

describe('a major changeset says who is affected and how to migrate', () => {
  test.each([
    ['---\n"a": major\n---\n\n### Who is affected\n\nAll.\n\n### How to migrate\n\nSo.\n', []],
    ['---\n"a": major\n---\n\n## How to migrate\n', ['Who is affected']],
    ['---\n"a": major\n---\n\nWho is affected: all. How to migrate: so.\n', ['Who is affected', 'How to migrate']],
    ['---\n"a": minor\n---\n\nMore.\n', []],
  ])('%j lacks %j', (content, missing) => {
    expect(missingHeadings(changeset(content))).toEqual(missing)
  })
})
