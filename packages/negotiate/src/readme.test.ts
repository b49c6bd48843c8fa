import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const here = new URL('.', import.meta.url)
const readme = readFileSync(new URL('../README.md', here), 'utf8')
const sources = readdirSync(here)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(new URL(name, here), 'utf8'))

test('the README tells what to do about every code, and about no other', () => {
  const codesOf = (text: string): string[] => [...new Set(text.match(/ERR_NEGOTIATE_[A-Z_]+/g))].sort()
  expect(codesOf(readme)).toEqual(codesOf(sources.join('\n')))
})
