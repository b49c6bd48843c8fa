import { describe, expect, test } from 'vitest'
import { decodeDocument } from './decode-document.ts'

const declared = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?><größe/>`
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')

describe('a document of a contract', () => {
  test.each([
    ['UTF-8', Buffer.from('<größe/>')],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeff<größe/>')],
    ['the encoding of its declaration', latin1(declared('ISO-8859-1'))],
    ['the encoding of a declaration in apostrophes', latin1(declared('windows-1252').replaceAll('"', "'"))],
    ['UTF-16', utf16(declared('UTF-16'))],
    ['UTF-16, most significant byte first', utf16(declared('UTF-16')).swap16()],
  ])('is read as %s', (_, bytes) => {
    expect(decodeDocument(bytes, 'a.wsdl')).toMatch(/^<(\?xml.*\?><)?größe\/>$/)
  })

  test('is read as the charset of its response before its declaration, and after its mark', () => {
    expect(decodeDocument(latin1('<größe/>'), 'a.wsdl', 'iso-8859-1')).toBe('<größe/>')
    expect(decodeDocument(Buffer.from(declared('ISO-8859-1')), 'a.wsdl', 'utf-8')).toContain('<größe/>')
    expect(decodeDocument(utf16('<größe/>'), 'a.wsdl', 'utf-8')).toBe('<größe/>')
  })

  test.each([
    ['bytes of another encoding', latin1('<größe/>'), 'a.wsdl cannot be read as utf-8'],
    ['an encoding that is not known', latin1(declared('x-none')), 'a.wsdl cannot be read as x-none'],
  ])('is refused for %s', (_, bytes, message) => {
    expect(() => decodeDocument(bytes, 'a.wsdl')).toThrow(new TypeError(`soap-envelope: ${message}`))
  })
})
