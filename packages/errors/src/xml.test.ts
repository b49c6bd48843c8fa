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

test('formats what toJSON returns, as JSON has it', () => {
  const since = new Date(Date.UTC(2026, 10, 21))
  const price = { toJSON: () => ({ amount: '1.50' }) }
  expect(toXml('problem', { since, price, link: new URL('https://a.example/') })).toContain(
    '<since>2026-11-21T00:00:00.000Z</since><price><amount>1.50</amount></price><link>https://a.example/</link>',
  )
})

test('formats members as elements, lists as i, and omits empty values (RFC 9457 appendix B)', () => {
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

test('omits what JSON has no value for', () => {
  const value = { call: () => 'canary', mark: Symbol('canary'), number: Number.NaN, list: [() => 'canary', 1] }
  expect(toXml('a', value)).toMatch(/<a><list><i><\/i><i>1<\/i><\/list><\/a>$/)
})

test('omits members whose name is not an XML name', () => {
  expect(toXml('a', { '1': 1, 'x y': 1, '<': 1, '': 1, ok: 1 })).toMatch(/<a><ok>1<\/ok><\/a>$/)
})

test('formats any text as well-formed XML that parses back to it', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(textOf(toXml('a', { text }))).toBe(
        text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD'),
      )
    }),
  )
})

test('formats any value as well-formed XML', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      expect(() => textOf(toXml('a', value))).not.toThrow()
    }),
  )
})
