import { expect, test } from 'vitest'
import { escapeAttribute, escapeText } from './xml-escape.ts'

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
])('escapes %j (XML 1.0 §2.2, §2.4, §3.3.3)', (text, inText, inAttribute) => {
  expect(escapeText(text)).toBe(inText)
  expect(escapeAttribute(text)).toBe(inAttribute)
})
