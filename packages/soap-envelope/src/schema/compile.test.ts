import { describe, expect, test } from 'vitest'
import { element, parse, wrapSchema } from '../testing/complex-values.ts'
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
    ['a global name twice', '', element('v'), 'twice'],
    [
      'an unknown facet',
      '',
      '<x:simpleType name="S"><x:restriction base="x:string"><x:maxLenght value="1"/></x:restriction></x:simpleType>',
      'must not contain xs:maxLenght',
    ],
    [
      'an unknown attribute of the language',
      '<x:sequence maxOccur="2"/>',
      '',
      'xs:sequence in v has an unknown attribute maxOccur',
    ],
    ['a bad number of occurrences', '<x:sequence maxOccurs="many"/>', '', 'has the invalid value "many" for maxOccurs'],
    ['fewer than none', '<x:sequence minOccurs="2" maxOccurs="1"/>', '', 'minOccurs 2 with maxOccurs 1'],
    ['xs:assert', '<x:sequence/><x:assert test="1"/>', '', 'xs:assert, which is XSD 1.1'],
    [
      'a final type',
      '',
      '<x:complexType name="F" final="#all"/><x:complexType name="G"><x:complexContent><x:extension base="t:F"/></x:complexContent></x:complexType>',
      'which is final',
    ],
    [
      'less white space',
      '',
      '<x:simpleType name="S"><x:restriction base="x:token"><x:whiteSpace value="preserve"/></x:restriction></x:simpleType>',
      'whiteSpace "preserve" is not valid for token',
    ],
    [
      'an enumeration that is not a value',
      '',
      '<x:simpleType name="S"><x:restriction base="x:int"><x:enumeration value="x"/></x:restriction></x:simpleType>',
      'the enumeration "x"',
    ],
    [
      'a substitute of another type',
      '',
      '<x:element name="h" type="x:int"/><x:element name="s" type="x:date" substitutionGroup="t:h"/><x:complexType name="T"><x:sequence><x:element ref="t:h"/></x:sequence></x:complexType>',
      'not derived',
    ],
    [
      'a path of a constraint',
      '',
      '<x:element name="k"><x:complexType/><x:key name="k"><x:selector xpath="a[1]"/><x:field xpath="@b"/></x:key></x:element>',
      'the path "a[1]"',
    ],
    [
      'a pattern',
      '',
      '<x:simpleType name="S"><x:restriction base="x:string"><x:pattern value="a**"/></x:restriction></x:simpleType>',
      '"*" is not expected at position 3',
    ],
    ['a name __proto__', `<x:sequence>${element('__proto__')}</x:sequence>`, '', '__proto__'],
  ])('%s', (_, content, more, message) => {
    const build = (): Schema => wrapSchema(content, more)
    expect(build).toThrow(TypeError)
    expect(build).toThrow(message)
  })

  test('a document that is none, or is not found', () => {
    expect(() => compileSchema('<a/>')).toThrow('is not an xs:schema')
    expect(() => compileSchema('<a>')).toThrow('not well-formed')
    expect(() => compileSchema(readShop('shop.xsd'))).toThrow('the schema "common/common.xsd" was not found')
  })
})

test('the members of a union in a document without a namespace are those of the includer', () => {
  const included = `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema">
    <x:simpleType name="Size"><x:union memberTypes="Number Word"/></x:simpleType>
    <x:simpleType name="Number"><x:restriction base="x:int"/></x:simpleType>
    <x:simpleType name="Word"><x:restriction base="x:string"><x:enumeration value="large"/></x:restriction></x:simpleType>
  </x:schema>`
  const schema = compileSchema(
    `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t">
      <x:include schemaLocation="sizes.xsd"/><x:element name="size" type="t:Size"/>
    </x:schema>`,
    { resolveImport: () => included },
  )
  const size = { uri: 'urn:t', local: 'size' }
  expect(schema.encode(size, 'large')).toContain('>large<')
  expect(schema.encode(size, 7)).toContain('>7<')
  expect(() => schema.encode(size, 'small')).toThrow(TypeError)
})

test('a message declares the namespaces that it uses if the schema has many', () => {
  const other = (index: number) =>
    `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:n${index}" elementFormDefault="qualified"><x:element name="e" type="x:string"/></x:schema>`
  const imports = Array.from(
    { length: 70 },
    (_, index) => `<x:import namespace="urn:n${index}" schemaLocation="${index}"/>`,
  )
  const schema = compileSchema(
    `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:n="urn:n7" targetNamespace="urn:t">${imports.join('')}
      <x:element name="v"><x:complexType><x:sequence><x:element ref="n:e"/></x:sequence></x:complexType></x:element></x:schema>`,
    { resolveImport: (name) => other(Number(name)) },
  )
  const written = schema.encode({ uri: 'urn:t', local: 'v' }, { e: 'a' })
  expect(written).toBe('<t:v xmlns:t="urn:t" xmlns:t9="urn:n7"><t9:e>a</t9:e></t:v>')
  expect(schema.decode(parse(written))).toEqual({ e: 'a' })
})
