import { describe, expect, test } from 'vitest'
import { element, schemaOf } from '../testing/complex-values.ts'
import { readShop } from '../testing/shop.ts'
import { compileSchema, type Schema } from './compile.ts'

describe('a schema that is wrong, or beyond what is supported, is refused at start', () => {
  test.each([
    ['an unknown type', '<x:sequence><x:element name="a" type="t:None"/></x:sequence>', '', 'no type {urn:t}None'],
    ['an unbound prefix', '<x:sequence><x:element name="a" type="z:A"/></x:sequence>', '', '"z:A", whose prefix'],
    ['an unknown element', '<x:sequence><x:element ref="t:None"/></x:sequence>', '', 'no element {urn:t}None'],
    ['an unknown group', '<x:sequence><x:group ref="t:None"/></x:sequence>', '', 'no group {urn:t}None'],
    ['an unknown attribute', '<x:attribute ref="t:None"/>', '', 'no attribute {urn:t}None'],
    ['an unknown attribute group', '<x:attributeGroup ref="t:None"/>', '', 'no attribute group {urn:t}None'],
    ['a name twice', `<x:sequence>${element('a')}${element('b')}${element('a')}</x:sequence>`, '', '"a" stands twice'],
    ['a global name twice', '', element('v'), 'twice'],
    [
      'an attribute name twice',
      '<x:attribute name="g" type="x:int"/><x:attribute ref="t:g"/>',
      '<x:attribute name="g" type="x:int"/>',
      'the name "g"',
    ],
    ['a name __proto__', `<x:sequence>${element('__proto__')}</x:sequence>`, '', '__proto__'],
    ['mixed content', '<x:sequence/>', '<x:complexType name="M" mixed="true"/>', 'mixed'],
    ['a substitution group', '', '<x:element name="s" substitutionGroup="t:v" type="x:int"/>', 'substitution'],
    ['an element without a type', '<x:sequence><x:element name="a"/></x:sequence>', '', 'has no type'],
    ['redefine', '', '<x:redefine schemaLocation="x"/>', 'redefine'],
  ])('%s', (_, content, more, message) => {
    const build = (): Schema => schemaOf(content, more)
    expect(build).toThrow(TypeError)
    expect(build).toThrow(message)
  })

  test('a document that is none, or is not found', () => {
    expect(() => compileSchema('<a/>')).toThrow('is no xs:schema')
    expect(() => compileSchema('<a>')).toThrow('not well-formed')
    expect(() => compileSchema(readShop('shop.xsd'))).toThrow('the schema "common/common.xsd" was not found')
  })
})
