import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeAttribute, escapeText } from '../../../internal/xml-escape.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import { treeReader } from './tree.ts'

test.each([
  ['plain', 'plain', 'plain'],
  ['', '', ''],
  ['a & b < c > d', 'a &amp; b &lt; c &gt; d', 'a &amp; b &lt; c &gt; d'],
  [']]>', ']]&gt;', ']]&gt;'],
  ['"\'', '"\'', "&quot;'"],
  ['\t\n\r', '\t\n&#xD;', '&#x9;&#xA;&#xD;'],
  ['\u0085\u2028', '\u0085\u2028', '\u0085\u2028'],
  ['😀', '😀', '😀'],
  ['a\ud800b\udc00', 'a\ufffdb\ufffd', 'a\ufffdb\ufffd'],
  ['\0\x01\x1f\ufffe\uffff', '\ufffd\ufffd\ufffd\ufffd\ufffd', '\ufffd\ufffd\ufffd\ufffd\ufffd'],
])('writes %j so that it can be read (XML 1.0 2.2, 2.4, 3.3.3)', (text, inText, inAttribute) => {
  expect(escapeText(text)).toBe(inText)
  expect(escapeAttribute(text)).toBe(inAttribute)
})

test('whatever a value holds, the document is well-formed and reads back as the value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const reader = treeReader({ limits: DEFAULT_LIMITS })
      reader.write(`<a b="${escapeAttribute(text)}">${escapeText(text)}</a>`)
      const root = reader.end()
      const carried = text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
      expect(root.text).toBe(carried)
      expect(root.attributes[0]?.value).toBe(carried)
    }),
    { numRuns: 1000 },
  )
})
