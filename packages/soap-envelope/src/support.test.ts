import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadShape, SUPPORT, supportTable } from './testing/support.ts'

const README = new URL('../README.md', import.meta.url)

// What is supported comes from the corpus, whose test calls a service of each contract with a
// client.
describe('the table of what is supported is true', () => {
  test.each(SUPPORT)('$state: $feature', ({ state, reason = '', shapes }) => {
    for (const shape of shapes) {
      const outcome = loadShape(shape)
      if (state === 'rejected') expect(outcome).toEqual({ error: expect.stringContaining(reason) })
      else expect(outcome).toHaveProperty('ignored')
      if (state === 'ignored')
        expect(outcome).toEqual({ ignored: expect.arrayContaining([expect.stringContaining(reason)]) })
    }
  })
})

// `SVC_WRITE=1` writes the table.
test('the README has the table', () => {
  const text = readFileSync(README, 'utf8')
  const updated = text.replace(
    /<!-- support -->\n[^]*?<!-- \/support -->/,
    () => `<!-- support -->\n${supportTable()}\n<!-- /support -->`,
  )
  if (process.env['SVC_WRITE'] === '1') writeFileSync(README, updated)
  expect(updated).toContain(supportTable())
  expect(text).toBe(updated)
})
