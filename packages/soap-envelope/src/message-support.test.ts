import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findOutcome, MESSAGES, messageTable } from './testing/message-support.ts'

const PAGE = new URL('../docs/services.md', import.meta.url)

describe('the table of messages is true', () => {
  test.each(MESSAGES)('$state: $feature', async (row) => {
    for (const sample of row.samples) expect(await findOutcome(sample)).toBe(row.fault ?? '200')
  })
})

// `SVC_WRITE=1` writes the table.
test('the docs have the table', () => {
  const text = readFileSync(PAGE, 'utf8')
  const updated = text.replace(
    /<!-- messages -->\n[^]*?<!-- \/messages -->/,
    () => `<!-- messages -->\n${messageTable()}\n<!-- /messages -->`,
  )
  if (process.env['SVC_WRITE'] === '1') writeFileSync(PAGE, updated)
  expect(updated).toContain(messageTable())
  expect(text).toBe(updated)
})
