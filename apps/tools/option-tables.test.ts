import { describe, expect, test } from 'vitest'
import { optionTables, sameDefault } from './option-tables.ts'

test('a table gives a row for each name in a first cell, with its own default', () => {
  const markdown = `
| Name | Type | Default | Meaning |
|---|---|---|---|
| \`limit\` * | integer | \`100\` | how many |
| \`leaseMs\`, \`orphan\` | integer, \`'retry' \\| 'reject'\` | \`30000\`, \`'retry'\` | how long |
| \`methods\`, \`wait\` | \`string[]\` | \`['POST', 'PATCH']\` | one for both |

| Code | Status |
|---|---|
| \`ERR_X\` | 400 |
`
  const [options, codes] = optionTables(markdown)
  expect(options).toEqual([
    { name: 'limit', fallback: '`100`' },
    { name: 'leaseMs', fallback: '`30000`' },
    { name: 'orphan', fallback: "`'retry'`" },
    { name: 'methods', fallback: "`['POST', 'PATCH']`" },
    { name: 'wait', fallback: "`['POST', 'PATCH']`" },
  ])
  expect(codes).toEqual([])
})

describe('a default in a table and in the types', () => {
  test.each([
    ['`100`', '100', true],
    ['100', '200', false],
    ['1 MiB', 'as large as memory', true],
    ['20,000', '`20_000`', true],
    ['`false`', 'false', true],
    ['`false`', 'true', false],
    ["`'retry'`", "'retry'", true],
    ['`Idempotency-Key`', "'Idempotency-Key'", true],
    ["`'retry'`", "'reject'", false],
    ["`['POST', 'PATCH']`", "['POST','PATCH']", true],
    ['none', 'no limit', true],
    ["all; language `'client'`", "`'client'` for languages", true],
  ])('%j and %j agree: %j', (shown, documented, agree) => {
    expect(sameDefault(shown, documented)).toBe(agree)
  })
})
