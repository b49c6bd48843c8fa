import { describe, expect, test } from 'vitest'
import { SoapFault } from '../fault.ts'
import { DEFAULT_LIMITS } from '../xml/limits.ts'
import { treeReader } from '../xml/tree.ts'
import { compileSchema } from './compile.ts'

const schema =
  compileSchema(`<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t">
  <x:simpleType name="Key"><x:restriction base="x:ID"><x:maxLength value="4"/></x:restriction></x:simpleType>
  <x:complexType name="Node"><x:sequence>
    <x:element name="link" type="x:IDREF" minOccurs="0" maxOccurs="9"/>
    <x:element name="links" type="x:IDREFS" minOccurs="0"/>
    <x:element name="key" type="t:Key" minOccurs="0"/>
  </x:sequence><x:attribute name="id" type="x:ID"/><x:attribute name="next" type="x:IDREF"/></x:complexType>
  <x:element name="graph"><x:complexType><x:sequence>
    <x:element name="node" type="t:Node" maxOccurs="9"/>
  </x:sequence></x:complexType></x:element>
  <x:element name="plain" type="x:NCName"/>
</x:schema>`)

function resultOf(xml: string): string {
  const reader = treeReader({ limits: DEFAULT_LIMITS })
  reader.write(xml)
  try {
    schema.decode(reader.end())
    return 'accepted'
  } catch (error) {
    expect(error).toMatchObject({ code: 'Sender', subcodes: [{ local: 'ValidationFailed' }] })
    return error instanceof SoapFault ? error.message : ''
  }
}

const graph = (inner: string): string => `<t:graph xmlns:t="urn:t">${inner}</t:graph>`

describe('xs:ID and xs:IDREF (XSD part 2 §3.3.8, §3.3.9)', () => {
  test.each([
    ['an ID', '<node id="a"/>'],
    ['two IDs', '<node id="a"/><node id="b"/>'],
    ['a reference to an element after it', '<node next="b"/><node id="b"/>'],
    ['a reference to the element itself', '<node id="a" next="a"/>'],
    ['white space around an ID', '<node next="a"/><node id=" a "/>'],
    ['references in elements', '<node id="a"><link>b</link><link>a</link></node><node id="b"/>'],
    ['a list of references', '<node id="a"><links>b  a</links></node><node id="b"/>'],
    ['an ID in an element', '<node next="k"><key>k</key></node>'],
    ['names of properties', '<node id="__proto__" next="constructor"/><node id="constructor"/>'],
  ])('accepts %s', (_, inner) => {
    expect(resultOf(graph(inner))).toBe('accepted')
  })

  test.each([
    [
      'an ID twice',
      '<node id="a"/><node id="b"/><node id="a"/>',
      '/graph/node[3] has an ID that the message has twice.',
    ],
    ['an ID in an attribute and an element', '<node id="a"><key>a</key></node>', '/graph/node/key has an ID that'],
    ['a reference to no ID', '<node id="a"/><node next="b"/>', '/graph/node[2] refers to an ID that no element has.'],
    [
      'one of a list',
      '<node id="a"><links>a b</links></node>',
      '/graph/node/links refers to an ID that no element has.',
    ],
    [
      'a reference in an element',
      '<node><link>a</link></node>',
      '/graph/node/link refers to an ID that no element has.',
    ],
    ['a reference to a property', '<node next="constructor"/>', '/graph/node refers to an ID that no element has.'],
  ])('rejects %s', (_, inner, message) => {
    expect(resultOf(graph(inner))).toContain(message)
  })

  test('each message has identifiers of its own', () => {
    expect(resultOf(graph('<node id="a"/>'))).toBe('accepted')
    expect(resultOf(graph('<node id="a"/>'))).toBe('accepted')
    expect(resultOf(graph('<node next="a"/>'))).toContain('refers to an ID')
  })
})
