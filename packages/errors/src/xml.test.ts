import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { anyText } from '../../internal/testing/any-text.ts'
import { toXml } from './xml.ts'

function textOf(xml: string): string {
  const parser = new SaxesParser()
  let text = ''
  parser.on('text', (chunk) => {
    text += chunk
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return text.slice(1) // the line end behind the declaration
}

test('writes members as elements, lists as i, and nothing for what is not there (RFC 9457 appendix B)', () => {
  const xml = toXml(
    'problem',
    { accounts: ['a', 'b'], none: null, gone: undefined, deep: { n: 1 } },
    'urn:ietf:rfc:7807',
  )
  expect(xml).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<problem xmlns="urn:ietf:rfc:7807">' +
      '<accounts><i>a</i><i>b</i></accounts><deep><n>1</n></deep></problem>',
  )
})

test('leaves out members whose name is no XML name', () => {
  expect(toXml('a', { '1': 1, 'x y': 1, '<': 1, '': 1, ok: 1 })).toMatch(/<a><ok>1<\/ok><\/a>$/)
})

test('writes well-formed XML of any text, and gives it back', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(textOf(toXml('a', { text }))).toBe(
        text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD'),
      )
    }),
  )
})

test('writes well-formed XML of any value', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      expect(() => textOf(toXml('a', value))).not.toThrow()
    }),
  )
})
