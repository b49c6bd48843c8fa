import { describe, expect, test } from 'vitest'
import { resolveIncludes } from '../mime/xop.ts'
import { decode, element, encode, findOutcome, parse, wrapSchema } from '../testing/complex-values.ts'

describe('sequences', () => {
  const schema = wrapSchema(
    `<x:sequence>${element('a')}${element('b', 'int', 'minOccurs="0"')}${element('c')}</x:sequence>`,
  )
  test.each<[string, unknown]>([
    ['<a/><b>1</b><c>x</c>', { a: '', b: 1, c: 'x' }],
    [' <a>1</a>\n<c/> ', { a: '1', c: '' }],
    ['<c/><a/>', '/v/c is not expected here: a is.'],
    ['<a/>', '/v is incomplete: c is missing.'],
    ['', '/v is incomplete: a is missing.'],
    ['<a/><a/><c/>', '/v/a[2] is not expected here: c is.'],
    ['<a/><c/><d/>', '/v/d is not expected here.'],
    ['<a/><c/><c/>', '/v/c[2] is not expected here.'],
    ['<a xmlns=""/><c/>', '/v/a is not expected here: a is.'],
    ['<a xmlns="urn:other"/><c/>', '/v/a is not expected here: a is.'],
    ['<A/><c/>', '/v/A is not expected here: a is.'],
    ['text<a/><c/>', '/v must not contain text.'],
    ['<a/><c/><![CDATA[x]]>', '/v must not contain text.'],
    ['<a><z/></a><c/>', '/v/a must contain only text.'],
    ['<a/><b>x</b><c/>', '/v/b is not an int.'],
    ['<a q="1"/><c/>', '/v/a has an attribute q that is not expected.'],
    ['<__proto__/>', '/v/__proto__ is not expected here: a is.'],
  ])('%s', (inner, expected) => {
    expect(findOutcome(schema, inner)).toEqual(expected)
  })

  test('are written in their order, and properties that they do not know are left out', () => {
    expect(encode(schema, { c: 'x', a: '<', secret: 1 })).toBe('<t:v><t:a>&lt;</t:a><t:c>x</t:c></t:v>')
    expect(encode(schema, { a: '1', b: null, c: '' })).toBe('<t:v><t:a>1</t:a><t:c></t:c></t:v>')
  })

  test.each<[unknown, string]>([
    [{ a: '1' }, 'v has no c'],
    [{ a: 1, c: '' }, 'v.a is not a string'],
    [{ a: ['1'], c: '' }, 'v.a is not a string'],
    ['text', 'v must be an object'],
    [null, 'v must be an object'],
    [[], 'v must be an object'],
    [undefined, 'v must be an object'],
  ])('%j is not written', (value, message) => {
    expect(() => encode(schema, value)).toThrow(new TypeError(`soap-envelope: ${message}`))
  })
})

describe('how often (minOccurs, maxOccurs)', () => {
  const schema = wrapSchema(
    `<x:sequence>${element('a', 'int', 'minOccurs="0" maxOccurs="unbounded"')}${element('b', 'int', 'minOccurs="2" maxOccurs="3"')}</x:sequence>`,
  )
  test.each<[string, unknown]>([
    ['<b>1</b><b>2</b>', { a: [], b: [1, 2] }],
    ['<a>0</a><b>1</b><b>2</b><b>3</b>', { a: [0], b: [1, 2, 3] }],
    ['<b>1</b>', '/v is incomplete: b is missing.'],
    ['<b>1</b><b>2</b><b>3</b><b>4</b>', '/v/b[4] is not expected here.'],
    ['<b>1</b><b>x</b>', '/v/b[2] is not an int.'],
  ])('%s', (inner, expected) => {
    expect(findOutcome(schema, inner)).toEqual(expected)
  })
  test('arrays are written', () => {
    expect(encode(schema, { b: [1, 2] })).toBe('<t:v><t:b>1</t:b><t:b>2</t:b></t:v>')
    expect(() => encode(schema, { b: [1] })).toThrow('v.b must have 2 to 3 items')
    expect(() => encode(schema, { b: 1 })).toThrow('v.b must be an array')
    expect(() => encode(schema, { b: [1, 'x'] })).toThrow('v.b[1] is not an int')
  })
})

test('occurrences of a group that may be empty may be missing', () => {
  const schema = wrapSchema(
    `<x:sequence minOccurs="2" maxOccurs="3">${element('a', 'int', 'minOccurs="0"')}</x:sequence>`,
  )
  expect(decode(schema, '<a>1</a>')).toEqual({ items: [{ a: 1 }] })
  expect(encode(schema, { items: [{ a: 1 }] })).toBe('<t:v><t:a>1</t:a></t:v>')
  expect(findOutcome(schema, '<a>1</a><a>2</a><a>3</a><a>4</a>')).toBe('/v/a[4] is not expected here.')
})

test.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])('%s may be the name of an element', (name) => {
  const schema = wrapSchema(
    `<x:sequence>${element(name, 'string', 'minOccurs="0"')}<x:choice minOccurs="0">${element('isPrototypeOf')}${element('b')}</x:choice></x:sequence>`,
  )
  expect(encode(schema, {})).toBe('<t:v></t:v>')
  expect(encode(schema, { [name]: '1', b: '2' })).toBe(`<t:v><t:${name}>1</t:${name}><t:b>2</t:b></t:v>`)
  expect(() => encode(schema, { [name]: () => '1' })).toThrow(`v.${name} is not a string`)
  const required = wrapSchema(`<x:sequence>${element(name)}</x:sequence>`)
  expect(() => encode(required, {})).toThrow(`v has no ${name}`)
})

describe('choices', () => {
  const schema = wrapSchema(
    `<x:sequence><x:choice>${element('a')}<x:sequence>${element('b')}${element('c', 'string', 'minOccurs="0"')}</x:sequence></x:choice>` +
      `<x:choice minOccurs="0">${element('d')}${element('e')}</x:choice></x:sequence>`,
  )
  test.each<[string, unknown]>([
    ['<a>1</a>', { a: '1' }],
    ['<b>1</b><c>2</c><e>3</e>', { b: '1', c: '2', e: '3' }],
    ['<a/><b/>', '/v/b is not expected here.'],
    ['<c/>', '/v/c is not expected here: a is.'],
    ['', '/v is incomplete: a is missing.'],
    ['<a/><d/><e/>', '/v/e is not expected here.'],
  ])('%s', (inner, expected) => {
    expect(findOutcome(schema, inner)).toEqual(expected)
  })
  test('the alternative that is there is written', () => {
    expect(encode(schema, { b: '1', d: '2' })).toBe('<t:v><t:b>1</t:b><t:d>2</t:d></t:v>')
    expect(() => encode(schema, { a: '1', b: '2' })).toThrow('v has more than one alternative')
    expect(() => encode(schema, {})).toThrow('v has no alternative')
  })
})

test('a group that repeats is a list of its occurrences, in their order', () => {
  const schema = wrapSchema(`<x:choice minOccurs="0" maxOccurs="3">${element('a')}${element('b', 'int')}</x:choice>`)
  expect(decode(schema, '<a>1</a><b>2</b><a>3</a>')).toEqual({ items: [{ a: '1' }, { b: 2 }, { a: '3' }] })
  expect(decode(schema, '')).toEqual({ items: [] })
  expect(findOutcome(schema, '<a/><a/><a/><a/>')).toBe('/v/a[4] is not expected here.')
  expect(encode(schema, { items: [{ b: 2 }, { a: '1' }] })).toBe('<t:v><t:b>2</t:b><t:a>1</t:a></t:v>')
  expect(() => encode(schema, { items: [{ b: 'x' }] })).toThrow('v.items[0].b is not an int')
})

test('a list is an array also when nothing of it is there', () => {
  const many = element('a', 'int', 'minOccurs="0" maxOccurs="unbounded"')
  expect(decode(wrapSchema(`<x:sequence>${many}</x:sequence>`), '')).toEqual({ a: [] })
  expect(decode(wrapSchema(`<x:sequence><x:sequence minOccurs="0">${many}</x:sequence></x:sequence>`), '')).toEqual({
    a: [],
  })
  const choice = wrapSchema(`<x:choice>${many}${element('b')}</x:choice>`)
  expect(decode(choice, '<b/>')).toEqual({ a: [], b: '' })
  expect(encode(choice, { a: [], b: '' })).toBe('<t:v><t:b></t:b></t:v>')
  const inside = wrapSchema(`<x:sequence maxOccurs="2">${element('b')}${many}</x:sequence>`)
  expect(decode(inside, '<b/>')).toEqual({ items: [{ a: [], b: '' }] })
})

test('all takes its members in any order, each once', () => {
  const schema = wrapSchema(`<x:all>${element('a')}${element('b', 'string', 'minOccurs="0"')}</x:all>`)
  expect(decode(schema, '<b>1</b><a>2</a>')).toEqual({ a: '2', b: '1' })
  expect(decode(schema, '<a>2</a>')).toEqual({ a: '2' })
  expect(findOutcome(schema, '<b/>')).toBe('/v is incomplete: a is missing.')
  expect(findOutcome(schema, '<a/><a/>')).toBe('/v/a[2] is not expected here.')
  expect(encode(schema, { b: '1', a: '2' })).toBe('<t:v><t:a>2</t:a><t:b>1</t:b></t:v>')
})

test('any takes elements of the namespaces it names, and writes them back', () => {
  const schema = wrapSchema(
    `<x:sequence>${element('a')}<x:any namespace="##other" minOccurs="0" maxOccurs="unbounded" processContents="lax"/></x:sequence>`,
  )
  const value = decode(schema, '<a/><o:x xmlns:o="urn:o" o:k="&lt;" j="2"><o:y>1 &amp; 2</o:y></o:x>')
  expect(value).toMatchObject({ a: '', any: [{ uri: 'urn:o', local: 'x' }] })
  expect(encode(schema, value)).toBe(
    '<t:v><t:a></t:a><o:x xmlns:o="urn:o" o:k="&lt;" j="2"><o:y>1 &amp; 2</o:y></o:x></t:v>',
  )
  expect(findOutcome(schema, '<a/><b/>')).toBe('/v/b is not expected here.')
  expect(() => encode(schema, { a: '', any: ['<x/>'] })).toThrow(TypeError)
})

describe('attributes', () => {
  const attributes =
    '<x:attribute name="r" type="x:int" use="required"/><x:attribute name="o" type="x:string"/>' +
    '<x:attribute name="d" type="x:int" default="5"/><x:attribute name="f" type="x:string" fixed="F"/>' +
    '<x:attribute ref="t:g"/><x:attributeGroup ref="t:ag"/>'
  const more =
    '<x:attribute name="g" type="x:boolean"/><x:attributeGroup name="ag"><x:attribute name="h" type="x:int"/></x:attributeGroup>'
  const schema = wrapSchema(attributes, more)
  test.each<[string, unknown]>([
    ['r=" 1 "', { '@r': 1, '@d': 5, '@f': 'F' }],
    ['r="1" o=" a " d="6" f="F" t:g="1" h="2"', { '@r': 1, '@o': ' a ', '@d': 6, '@f': 'F', '@g': true, '@h': 2 }],
    ['', '/v has no attribute r.'],
    ['r="x"', '/v has an attribute r that is not an int.'],
    ['r="1" f="G"', '/v has an attribute f without its fixed value.'],
    ['r="1" g="1"', '/v has an attribute g that is not expected.'],
    ['r="1" __proto__="1"', '/v has an attribute __proto__ that is not expected.'],
    ['r="1" i:schemaLocation="a b"', { '@r': 1, '@d': 5, '@f': 'F' }],
  ])('%s', (given, expected) => {
    expect(findOutcome(schema, '', given)).toEqual(expected)
  })
  test('are written', () => {
    expect(encode(schema, { '@r': 1, '@o': '"<', '@g': true })).toBe('<t:v r="1" o="&quot;&lt;" t:g="true"/>')
    expect(() => encode(schema, {})).toThrow('v has no @r')
    expect(() => encode(schema, { '@r': 'x' })).toThrow('v has an @r that is not an int')
    expect(encode(schema, { '@r': 1, '@f': 'F' })).toBe('<t:v r="1" f="F"/>')
    expect(() => encode(schema, { '@r': 1, '@f': 'G' })).toThrow('v has an @f without its fixed value')
  })
  test('anyAttribute lets others in', () => {
    const open = wrapSchema('<x:anyAttribute namespace="##other" processContents="lax"/>')
    const value = decode(open, '', 'xmlns:o="urn:o" o:a="1"')
    expect(value).toEqual({ '@any': [{ uri: 'urn:o', local: 'a', value: '1' }] })
    expect(encode(open, value)).toBe('<t:v xmlns:q1="urn:o" q1:a="1"/>')
    expect(findOutcome(open, '', 'a="1"')).toBe('/v has an attribute a that is not expected.')
  })
  test.each<[string, string, string, string | undefined]>([
    ['extension', 'urn:b', 'a:x="1" b:x="2"', undefined],
    ['extension', '', 'a:x="1"', undefined],
    ['extension', 'urn:b', 'a:x="1" c:x="2"', 'x'],
    ['restriction', 'urn:a', 'a:x="1"', undefined],
    ['restriction', '', 'a:x="1"', 'x'],
  ])('anyAttribute of an %s for %j: %s (XSD part 1, 3.4.2)', (derivation, namespace, given, wrong) => {
    const any = (uri: string): string =>
      uri === '' ? '' : `<x:anyAttribute namespace="${uri}" processContents="skip"/>`
    const derived = wrapSchema(
      `<x:complexContent><x:${derivation} base="t:B">${any(namespace)}</x:${derivation}></x:complexContent>`,
      `<x:complexType name="B">${any('urn:a')}</x:complexType>`,
    )
    const outcome = findOutcome(derived, '', `xmlns:a="urn:a" xmlns:b="urn:b" xmlns:c="urn:c" ${given}`)
    if (wrong === undefined) expect(outcome).toHaveProperty('@any')
    else expect(outcome).toBe(`/v has an attribute ${wrong} that is not expected.`)
  })
  test('anyAttribute of a type and of its attribute group lets in what both do', () => {
    const both = wrapSchema(
      '<x:attributeGroup ref="t:g"/><x:anyAttribute namespace="urn:a urn:b" processContents="skip"/>',
      '<x:attributeGroup name="g"><x:anyAttribute namespace="urn:b urn:c" processContents="skip"/></x:attributeGroup>',
    )
    expect(findOutcome(both, '', 'xmlns:b="urn:b" b:x="1"')).toHaveProperty('@any')
    expect(findOutcome(both, '', 'xmlns:a="urn:a" a:x="1"')).toContain('is not expected')
    expect(findOutcome(both, '', 'xmlns:c="urn:c" c:x="1"')).toContain('is not expected')
  })
  test.each(['x y', 'a="1"><evil/><b c', 'o:x', '1', ''])('@any with the name %j is not written', (local) => {
    const open = wrapSchema('<x:anyAttribute processContents="skip"/>')
    expect(() => encode(open, { '@any': [{ uri: '', local, value: '1' }] })).toThrow('v has an attribute in @any')
  })
})

describe('nil, default and fixed values', () => {
  const schema = wrapSchema(
    `<x:sequence>${element('n', 'int', 'nillable="true"')}${element('m', 'int', 'minOccurs="0"')}` +
      `${element('d', 'int', 'default="7" minOccurs="0"')}${element('f', 'int', 'fixed="8" minOccurs="0"')}</x:sequence>`,
  )
  test.each<[string, unknown]>([
    ['<n i:nil="true"/>', { n: null }],
    ['<n i:nil=" 1 "></n><d/><f/>', { n: null, d: 7, f: 8 }],
    ['<n i:nil="false">1</n><f>08</f>', { n: 1, f: 8 }],
    ['<n i:nil="true">1</n>', '/v/n is nil but not empty.'],
    ['<n i:nil="true"> </n>', '/v/n is nil but not empty.'],
    ['<n i:nil="true" q="1"/>', '/v/n has an attribute q that is not expected.'],
    ['<n>1</n><m i:nil="false">1</m>', '/v/m must not be nil.'],
    ['<n i:nil="yes"/>', '/v/n has an xsi:nil that is not a boolean.'],
    ['<n/>', '/v/n is not an int.'],
    ['<n>1</n><m i:nil="true"/>', '/v/m must not be nil.'],
    ['<n>1</n><f>9</f>', '/v/f does not have the fixed value.'],
  ])('%s', (inner, expected) => {
    expect(findOutcome(schema, inner)).toEqual(expected)
  })
  test('an attachment is not replaced by a default', () => {
    const binary = wrapSchema(
      `<x:sequence>${element('d', 'base64Binary', 'default="AAAA"')}${element('f', 'base64Binary', 'fixed="aGk="')}</x:sequence>`,
    )
    const decodeAttached = (text: string): unknown => {
      const include = '<i:Include xmlns:i="http://www.w3.org/2004/08/xop/include" href="cid:a"/>'
      const root = parse(`<v xmlns="urn:t"><d>${include}</d><f>${include}</f></v>`)
      resolveIncludes(root, [{ contentId: 'a', contentType: '', bytes: Buffer.from(text) }])
      return binary.decode(root)
    }
    expect(decodeAttached('hi')).toEqual({ d: Buffer.from('hi'), f: Buffer.from('hi') })
    expect(() => decodeAttached('no')).toThrow('/v/f does not have the fixed value')
  })
  test('nil leaves out the content, not the attributes', () => {
    const content = `<x:sequence>${element('a')}</x:sequence><x:attribute name="id" type="x:int" use="required"/>`
    const nillable = wrapSchema(
      '<x:sequence><x:element name="n" type="t:N" nillable="true"/><x:element name="a" type="t:A" nillable="true" minOccurs="0"/></x:sequence>',
      `<x:complexType name="N">${content}</x:complexType><x:complexType name="A" abstract="true"/>`,
    )
    expect(findOutcome(nillable, '<n i:nil="true" id="1"/>')).toEqual({ n: null })
    expect(findOutcome(nillable, '<n i:nil="true"/>')).toBe('/v/n has no attribute id.')
    expect(findOutcome(nillable, '<n i:nil="true" id="1" bogus="1"/>')).toContain('an attribute bogus')
    expect(findOutcome(nillable, '<n i:nil="true" id="1"/><a i:nil="true"/>')).toContain('is of an abstract type')
  })
  test('null is written as nil', () => {
    expect(encode(schema, { n: null })).toBe('<t:v><t:n xsi:nil="true"/></t:v>')
  })
  test('no other value than the fixed one is written', () => {
    expect(encode(schema, { n: 1, f: 8 })).toBe('<t:v><t:n>1</t:n><t:f>8</t:f></t:v>')
    expect(() => encode(schema, { n: 1, f: 9 })).toThrow('v.f does not have the fixed value')
  })
})

describe('derived types', () => {
  const more =
    `<x:complexType name="Base"><x:sequence>${element('a')}</x:sequence><x:attribute name="p" type="x:int"/></x:complexType>` +
    `<x:complexType name="Ext"><x:complexContent><x:extension base="t:Base"><x:sequence>${element('b')}</x:sequence><x:attribute name="q" type="x:int"/></x:extension></x:complexContent></x:complexType>` +
    `<x:complexType name="Res"><x:complexContent><x:restriction base="t:Base"><x:sequence>${element('a', 'token')}</x:sequence><x:attribute name="p" use="prohibited"/></x:restriction></x:complexContent></x:complexType>` +
    `<x:complexType name="Abs" abstract="true"><x:sequence/></x:complexType>` +
    `<x:complexType name="Con"><x:complexContent><x:extension base="t:Abs"><x:sequence>${element('c')}</x:sequence></x:extension></x:complexContent></x:complexType>` +
    `<x:complexType name="Other"><x:sequence/></x:complexType>`
  const schema = wrapSchema(
    '<x:sequence><x:element name="e" type="t:Base"/><x:element name="f" type="t:Abs" minOccurs="0"/>' +
      '<x:element name="l" type="x:long" minOccurs="0"/></x:sequence>',
    more,
  )
  test.each<[string, unknown]>([
    ['<e p="1"><a/></e>', { e: { a: '', '@p': 1 } }],
    ['<e i:type="t:Base"><a/></e>', { e: { a: '' } }],
    ['<e i:type="t:Ext" q="2"><a/><b/></e>', { e: { $type: 'Ext', a: '', b: '', '@q': 2 } }],
    ['<e i:type=" Ext "><a/><b/></e>', { e: { $type: 'Ext', a: '', b: '' } }],
    ['<e i:type="t:Res"><a> x </a></e>', { e: { $type: 'Res', a: 'x' } }],
    ['<e i:type="t:Res" p="1"><a/></e>', '/v/e has an attribute p that is not expected.'],
    ['<e i:type="t:Ext"><a/></e>', '/v/e is incomplete: b is missing.'],
    ['<e><a/><b/></e>', '/v/e/b is not expected here.'],
    ['<e i:type="t:Other"/>', '/v/e has an xsi:type that is not allowed here.'],
    ['<e i:type="t:Nothing"/>', '/v/e has an xsi:type that is not allowed here.'],
    ['<e i:type="z:Ext"/>', '/v/e has an xsi:type that is not allowed here.'],
    ['<e i:type="x:string">a</e>', '/v/e has an xsi:type that is not allowed here.'],
    ['<e><a/></e><f/>', '/v/f is of an abstract type: xsi:type must name one.'],
    ['<e><a/></e><f i:type="t:Con"><c/></f>', { e: { a: '' }, f: { $type: 'Con', c: '' } }],
    ['<e><a/></e><l i:type="x:int">5</l>', { e: { a: '' }, l: 5n }],
    ['<e><a/></e><l i:type="x:string">5</l>', '/v/l has an xsi:type that is not allowed here.'],
  ])('%s', (inner, expected) => {
    expect(findOutcome(schema, inner)).toEqual(expected)
  })
  test('are written with their xsi:type', () => {
    expect(encode(schema, { e: { $type: 'Ext', a: '', b: '' } })).toBe(
      '<t:v><t:e xsi:type="t:Ext"><t:a></t:a><t:b></t:b></t:e></t:v>',
    )
    expect(encode(schema, { e: { $type: '{urn:t}Base', a: '' } })).toBe('<t:v><t:e><t:a></t:a></t:e></t:v>')
    expect(() => encode(schema, { e: { $type: 'Other' } })).toThrow('v.e has a $type that is not allowed here')
    expect(() => encode(schema, { e: { a: '' }, f: {} })).toThrow('v.f needs a $type')
  })
})

describe('an xsi:type on an element of a simple type', () => {
  const more =
    `<x:complexType name="LS"><x:simpleContent><x:extension base="x:string"><x:attribute name="lang"/></x:extension></x:simpleContent></x:complexType>` +
    '<x:simpleType name="Code"><x:restriction base="x:string"><x:maxLength value="2"/></x:restriction></x:simpleType>' +
    '<x:simpleType name="Trimmed"><x:restriction base="t:Code"><x:whiteSpace value="collapse"/></x:restriction></x:simpleType>' +
    '<x:simpleType name="Union"><x:union memberTypes="x:long x:string"/></x:simpleType>'
  test.each<[string, string, unknown]>([
    ['x:long', '<v i:type="x:int">5</v>', 5n],
    ['x:decimal', '<v i:type="x:short"> 5 </v>', '5'],
    ['x:decimal', '<v i:type="x:integer">5</v>', '5'],
    ['x:string', '<v i:type="t:LS" lang="de">5</v>', '5'],
    ['t:Code', '<v i:type="t:Trimmed"> ab </v>', 'ab'],
    ['t:Union', '<v i:type="x:int">5</v>', 5n],
    ['t:Union', '<v i:type="x:string">5</v>', '5'],
    ['x:long', '<v i:type="x:int">2147483648</v>', '/v/v is not an int.'],
    ['x:string', '<v i:type="t:LS" other="de">5</v>', '/v/v has an attribute other that is not expected.'],
    ['t:Union', '<v i:type="x:boolean">1</v>', '/v/v has an xsi:type that is not allowed here.'],
  ])('does not change the type of the value: %s %s', (type, inner, expected) => {
    const schema = wrapSchema(`<x:sequence><x:element name="v" type="${type}"/></x:sequence>`, more)
    const outcome = findOutcome(schema, inner)
    expect(typeof outcome === 'object' ? outcome : { v: outcome }).toEqual({ v: expected })
  })

  test('does not change the type of a default', () => {
    const schema = wrapSchema(`<x:sequence>${element('v', 'long', 'default="5"')}</x:sequence>`)
    expect(decode(schema, '<v i:type="x:int"/>')).toEqual({ v: 5n })
  })
})

test('unqualified local elements and qualified attributes are as the schema says', () => {
  const schema = wrapSchema(
    `<x:sequence>${element('a')}${element('b', 'string', 'form="qualified"')}</x:sequence><x:attribute name="q" type="x:int"/>`,
    '',
    'attributeFormDefault="qualified"',
  )
  expect(decode(schema, '<a xmlns=""/><b/>', 't:q="1"')).toEqual({ a: '', b: '', '@q': 1 })
  expect(findOutcome(schema, '<a/><b/>')).toBe('/v/a is not expected here: a is.')
  expect(encode(schema, { a: '1', b: '2', '@q': 3 })).toBe('<t:v t:q="3"><a>1</a><t:b>2</t:b></t:v>')
})

test('groups and references to elements', () => {
  const schema = wrapSchema(
    '<x:sequence><x:group ref="t:g" minOccurs="0"/><x:element ref="t:r" maxOccurs="2"/></x:sequence>',
    `<x:group name="g"><x:sequence>${element('a')}${element('b')}</x:sequence></x:group>${element('r', 'int')}`,
  )
  expect(decode(schema, '<a/><b/><r>1</r><r>2</r>')).toEqual({ a: '', b: '', r: [1, 2] })
  expect(decode(schema, '<r>1</r>')).toEqual({ r: [1] })
  expect(encode(schema, { r: [1] })).toBe('<t:v><t:r>1</t:r></t:v>')
})

test('the text of an element with attributes is its value', () => {
  const schema = wrapSchema(
    '<x:simpleContent><x:extension base="x:decimal"><x:attribute name="c" type="x:string" use="required"/></x:extension></x:simpleContent>',
  )
  expect(decode(schema, ' 9.90 ', 'c="EUR"')).toEqual({ value: '9.90', '@c': 'EUR' })
  expect(findOutcome(schema, '<a/>', 'c="EUR"')).toBe('/v must contain only text.')
  expect(encode(schema, { value: '9.90', '@c': 'EUR' })).toBe('<t:v c="EUR">9.90</t:v>')
})
