import { expect, test } from 'vitest'
import { tokenize } from './assets/highlight.js'
import { highlight } from './html.ts'

test.each([
  [
    'application/hal+json',
    '{"a": 1, "b": ["x", null]}',
    [
      ['k', '"a"'],
      ['n', '1'],
      ['k', '"b"'],
      ['s', '"x"'],
      ['l', 'null'],
    ],
  ],
  [
    'application/xml',
    '<?xml version="1.0"?><a b="c">d</a>',
    [
      ['c', '<?xml version="1.0"?>'],
      ['k', '<a'],
      ['a', 'b'],
      ['s', '"c"'],
      ['k', '>'],
      ['k', '</a'],
      ['k', '>'],
    ],
  ],
  ['text/csv', 'id,name', []],
] as const)('finds the tokens of %s', (type, text, expected) => {
  expect(tokenize(text, type).filter(([kind]) => kind !== '')).toEqual(expected)
})

test.each([
  ['application/json', '{"a\\"b": "c", "unclosed'],
  ['application/json', `${'-'.repeat(20)}${'1e'.repeat(20)}`],
  ['application/xml', '<!-- never closed <a b="'],
  ['text/plain', '<script>'],
  ['application/json', ''],
])('keeps every character of %s %j', (type, text) => {
  const parts = tokenize(text, type)
  expect(parts.map(([, part]) => part).join('')).toBe(text)
})

test.each([
  ['application/json', '"'.repeat(100_001)],
  ['application/json', `"${'\\'.repeat(100_001)}`],
  ['application/xml', '<!--'.repeat(25_000)],
  ['application/json', `"${'\\"'.repeat(100_001)}`],
  ['application/xml', 'a'.repeat(100_000)],
  ['application/xml', `<a ${`b="' `.repeat(50_000)}`],
])('takes linear time for %s', (type, text) => {
  const startedAt = performance.now()
  tokenize(text, type)
  expect(performance.now() - startedAt).toBeLessThan(1000)
})

test('escapes what it marks', () => {
  const text = String(highlight('{"<b>": "</pre>&"}', 'application/json'))
  expect(text).toBe(
    '{<span class="k">&quot;&lt;b&gt;&quot;</span>: <span class="s">&quot;&lt;/pre&gt;&amp;&quot;</span>}',
  )
})
