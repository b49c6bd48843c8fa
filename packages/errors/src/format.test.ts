import fc from 'fast-check'
import { expect, test } from 'vitest'
import { selectFormat } from './format.ts'

const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

test.each([
  [undefined, 'json', 'json'],
  ['', 'json', 'json'],
  ['*/*', 'json', 'json'],
  ['image/png', 'json', 'json'],
  ['application/json', 'json', 'json'],
  ['application/problem+json', 'problem+json', 'problem+json'],
  ['APPLICATION/Problem+JSON', 'problem+json', 'problem+json'],
  ['application/problem+xml', 'problem+xml', 'problem+xml'],
  ['application/problem+json;q=0.5, application/json', 'json', 'json'],
  ['application/problem+json, application/json', 'problem+json', 'problem+json'],
  ['application/json, application/problem+json', 'problem+json', 'problem+json'],
  ['application/problem+json;q=0', 'json', 'json'],
  ['application/*', 'json', 'json'],
  ['application/xml', 'xml', 'xml'],
  ['text/xml', 'xml', 'xml'],
  ['application/xml;version=2', 'xml', 'xml'],
  ['application/json, application/xml', 'json', 'json'],
  ['application/json;q=0.5, application/xml', 'xml', 'xml'],
  ['application/json;q=0, */*', 'xml', 'xml'],
  ['application/json;version=2;q=0.1, application/json, text/plain;q=0.5', 'json', 'json'],
  ['text/html', 'json', 'html'],
  ['text/html;q=0.5, application/xml', 'xml', 'xml'],
  ['text/html, application/json', 'json', 'json'],
  ['text/*', 'text', 'html'],
  ['text/plain', 'text', 'text'],
  ['text/plain, */*;q=0.1', 'text', 'text'],
  [CHROME, 'json', 'html'],
  ['*/json, application', 'json', 'json'],
  ['application/xml;q=abc, text/plain;q=0.1', 'text', 'text'],
  ['application/xml;q="0.9", text/plain;q=0.1', 'text', 'text'],
  ['application/xml;Q=0.5, text/plain;q=.4', 'xml', 'xml'],
  ['text/plain;q=7, application/json', 'json', 'json'],
  ['text/plain;x="a,application/xml", application/xml;q=0.5', 'text', 'text'],
  [`application/xml${', a/b'.repeat(64)}`, 'json', 'json'],
  [`application/xml,${' '.repeat(4096)}`, 'json', 'json'],
  ['__proto__/x, constructor', 'json', 'json'],
])('selects for Accept %j the format %s, and %s with pages (RFC 9110 §12.5.1)', (accept, without, withPages) => {
  expect(selectFormat(accept, false)).toBe(without)
  expect(selectFormat(accept, true)).toBe(withPages)
})

test('selects a format for any input', () => {
  const token = fc.constantFrom(
    'application/json',
    'application/xml',
    '*/*',
    'text/*',
    ';q=0',
    ';q=1',
    ',',
    '"',
    '\\',
    ' ',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(token).map((parts) => parts.join('')),
      ),
      fc.boolean(),
      (accept, pages) => {
        expect(['json', 'problem+json', 'problem+xml', 'xml', 'html', 'text']).toContain(selectFormat(accept, pages))
      },
    ),
  )
})
