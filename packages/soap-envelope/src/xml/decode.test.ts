import { describe, expect, test } from 'vitest'
import { SoapFault } from '../fault.ts'
import { ByteDecoder } from './decode.ts'

const utf8 = (text: string): Buffer => Buffer.from(text)
const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le')
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
const mark = Buffer.from([0xef, 0xbb, 0xbf])
const markLe = Buffer.from([0xff, 0xfe])
const markBe = Buffer.from([0xfe, 0xff])

const TEXT = '<a>Zoë 日本 😀</a>'

function decodeBy(bytes: Buffer, size: number, charset?: string): string {
  const decoder = new ByteDecoder(charset)
  let text = ''
  for (let at = 0; at < bytes.length; at += size) text += decoder.decode(bytes.subarray(at, at + size), false)
  return text + decoder.decode(new Uint8Array(0), true)
}

describe('reads UTF-8 and UTF-16 (RFC 7303 3)', () => {
  test.each([
    ['UTF-8', undefined, utf8(TEXT)],
    ['UTF-8 by charset', 'utf-8', utf8(TEXT)],
    ['UTF-8 by charset in capitals', 'UTF-8', utf8(TEXT)],
    ['UTF-8 by an alias', 'utf8', utf8(TEXT)],
    ['UTF-8 with a mark', undefined, Buffer.concat([mark, utf8(TEXT)])],
    ['UTF-8 with mark and charset', 'utf-8', Buffer.concat([mark, utf8(TEXT)])],
    ['UTF-16 with a mark, little end first', undefined, Buffer.concat([markLe, utf16le(TEXT)])],
    ['UTF-16 with a mark, big end first', 'utf-16', Buffer.concat([markBe, utf16be(TEXT)])],
    ['UTF-16LE with a mark', 'UTF-16LE', Buffer.concat([markLe, utf16le(TEXT)])],
  ])('%s', (_, charset, bytes) => {
    expect(new ByteDecoder(charset).decode(bytes, true)).toBe(TEXT)
    for (const size of [1, 2, 3, 5, 7]) expect(decodeBy(bytes, size, charset)).toBe(TEXT)
  })
})

describe('refuses', () => {
  test.each([
    ['a stray byte', undefined, Buffer.from([0x61, 0x80, 0x61]), 'MalformedXml'],
    ['an overlong form', undefined, Buffer.from([0x61, 0xc0, 0xbc, 0x61]), 'MalformedXml'],
    ['an encoded surrogate', undefined, Buffer.from([0x61, 0xed, 0xa0, 0x80]), 'MalformedXml'],
    ['a five-byte form', undefined, Buffer.from([0xf8, 0x88, 0x80, 0x80, 0x80]), 'MalformedXml'],
    ['Latin-1', undefined, Buffer.from('<a>é</a>', 'latin1'), 'MalformedXml'],
    ['a character cut off at the end', undefined, utf8('<a>é').subarray(0, 4), 'MalformedXml'],
    ['UTF-16 with half a pair', undefined, Buffer.concat([markLe, utf16le('a\ud800b')]), 'MalformedXml'],
    ['a mark against the charset', 'utf-8', Buffer.concat([markLe, utf16le(TEXT)]), 'MalformedXml'],
    ['a UTF-8 mark against UTF-16', 'utf-16', Buffer.concat([mark, utf8(TEXT)]), 'MalformedXml'],
    ['the other end first', 'utf-16be', Buffer.concat([markLe, utf16le(TEXT)]), 'MalformedXml'],
    ['UTF-16 without a mark', 'utf-16', utf16be(TEXT), 'UnsupportedMediaType'],
    ['Latin-1 by charset', 'iso-8859-1', utf8(TEXT), 'UnsupportedMediaType'],
    ['UTF-7', 'utf-7', utf8(TEXT), 'UnsupportedMediaType'],
    ['a charset named like a property', '__proto__', utf8(TEXT), 'UnsupportedMediaType'],
  ])('%s', (_, charset, bytes, subcode) => {
    for (const decode of [
      () => new ByteDecoder(charset).decode(bytes, true),
      () => decodeBy(bytes, 1, charset),
      () => decodeBy(bytes, 4, charset),
    ]) {
      expect(decode).toThrow(SoapFault)
      expect(decode).toThrow(expect.objectContaining({ subcodes: [expect.objectContaining({ local: subcode })] }))
    }
  })
})

test.each([
  ['utf-8', 'UTF8', true],
  ['utf-8', 'us-ascii', true],
  ['utf-8', 'UTF-16', false],
  ['utf-8', 'ISO-8859-1', false],
  ['utf-16', 'UTF-16', true],
  ['utf-16', 'utf-16le', true],
  ['utf-16', 'utf-8', false],
])('in %s takes an XML declaration that names %s: %j', (charset, declared, fits) => {
  const decoder = new ByteDecoder(charset)
  decoder.decode(charset === 'utf-8' ? utf8('<a/>') : Buffer.concat([markLe, utf16le('<a/>')]), true)
  const check = (): void => decoder.checkDeclared(declared)
  if (fits) expect(check).not.toThrow()
  else expect(check).toThrow('another encoding')
})
