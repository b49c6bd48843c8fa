import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const here = new URL('.', import.meta.url)
const errors = readFileSync(new URL('../docs/errors.md', here), 'utf8')
const sources = readdirSync(here)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(new URL(name, here), 'utf8'))

test('the docs list every error code, and no other', () => {
  const findCodes = (text: string): string[] => [...new Set(text.match(/ERR_NEGOTIATE_[A-Z_]+/g))].sort()
  expect(findCodes(errors)).toEqual(findCodes(sources.join('\n')))
})
