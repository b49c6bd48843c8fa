import { expect, test } from 'vitest'
import { codePage, listCodes } from './codes.ts'

const readme = `# @svc/x

## Options

| Name | Default |
|---|---|
| \`limit\` | 1 |

## Errors

| Code | Status | What to do |
|---|---|---|
| \`ERR_X_A\`, \`ERR_X_B\` | 400 | send less |
| \`WRN_X_DOWN\` | – | \`WRN_X_UP\` follows |

Where a reader fails, \`ERR_X_READ\` says so.
`

test('every code has its row, the row that mentions it, or its paragraph', () => {
  const facts = [
    ['Code', '`ERR_X_A`, `ERR_X_B`'],
    ['Status', '400'],
    ['What to do', 'send less'],
  ]
  const warning = [
    ['Code', '`WRN_X_DOWN`'],
    ['Status', '–'],
    ['What to do', '`WRN_X_UP` follows'],
  ]
  expect(listCodes('@svc/x', readme, ['ERR_X_A', 'WRN_X_UP', 'ERR_X_READ', 'ERR_X_NOWHERE'])).toEqual([
    { code: 'ERR_X_A', name: '@svc/x', facts, text: undefined },
    { code: 'ERR_X_B', name: '@svc/x', facts, text: undefined },
    { code: 'WRN_X_DOWN', name: '@svc/x', facts: warning, text: undefined },
    { code: 'WRN_X_UP', name: '@svc/x', facts: warning, text: undefined },
    { code: 'ERR_X_READ', name: '@svc/x', facts: [], text: 'Where a reader fails, `ERR_X_READ` says so.\n' },
    { code: 'ERR_X_NOWHERE', name: '@svc/x', facts: [], text: undefined },
  ])
})

test('a page says what the row says, and where the rest is', () => {
  const [entry] = listCodes('@svc/x', readme, [])
  const page = entry ? codePage(entry) : ''
  expect(page).toMatch(
    /^# ERR_X_A\n\nAn error of `@svc\/x`\.\n\n\*\*Status\*\*: 400\n\n\*\*What to do\*\*: send less\n/,
  )
  expect(page).toContain('[@svc/x](../packages/x.md)')
  expect(page).not.toContain('```')
})

test('a page shows the answer of the report that has its code', () => {
  const fields = 'x 200: etag: "1"\nx 400 here: code ERR_X_A\nx 400 here: x-up: a: b\nx 400 there: code ERR_X_B\n'
  const [entry] = listCodes('@svc/x', readme, [])
  expect(entry && codePage(entry, fields)).toContain('```http\nHTTP/1.1 400\nx-up: a: b\n```')
})
