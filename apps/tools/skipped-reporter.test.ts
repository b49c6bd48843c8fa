import { expect, test } from 'vitest'
import { formatSkipped, needsMissing } from './skipped-reporter.ts'

test.each([
  ['stores on PostgreSQL', 'PostgreSQL is not installed', 'PostgreSQL is not installed', true],
  ['stores (needs redis-server) > counts', undefined, 'needs redis-server', true],
  ['pages (needs Chromium) > opens', undefined, 'needs Chromium', true],
  ['rows (needs PostgreSQL) > own page (needs a private table)', undefined, 'needs a private table', false],
  ['counts', undefined, 'no reason given', true],
  ['zstd (needs a Node.js with zstd)', undefined, 'needs a Node.js with zstd', false],
  ['one connection', 'a connection of SQLite has one transaction', 'a connection of SQLite has one transaction', false],
])('tells the reason of %s', (title, note, reason, isMissing) => {
  const line = formatSkipped('src/a.test.ts', title, note)
  expect(line).toBe(`skipped: src/a.test.ts > ${title}: ${reason}`)
  expect(needsMissing(line)).toBe(isMissing)
})
