import { describe, expect, test } from 'vitest'
import { decode, element, encode, findOutcome, head, wrapSchema } from '../testing/complex-values.ts'
import { compileSchema } from './compile.ts'

describe('an element without a type (xs:anyType)', () => {
  const schema = wrapSchema(
    `<x:sequence><x:element name="a" nillable="true"/>${element('b', 'anyType', 'minOccurs="0"')}</x:sequence>`,
    `<x:complexType name="C"><x:sequence>${element('n', 'int')}</x:sequence></x:complexType>${element('g', 'int')}`,
  )
  test.each<[string, unknown, string]>([
    ['<a/>', { a: '' }, '<t:a></t:a>'],
    ['<a> x &lt; y </a>', { a: ' x < y ' }, '<t:a> x &lt; y </t:a>'],
    ['<a i:nil="true"/>', { a: null }, '<t:a xsi:nil="true"/>'],
  ])('%s is its text', (inner, value, written) => {
    expect(decode(schema, inner)).toEqual(value)
    expect(encode(schema, value)).toBe(`<t:v>${written}</t:v>`)
  })

  test('keeps attributes, text and elements in their order', () => {
    const value = decode(
      schema,
      '<a o:k="1" xmlns:o="urn:o">one<o:b xmlns:p="urn:p" p:l="2">p:q</o:b>two<c xmlns=""/>three</a>',
    )
    expect(value).toMatchObject({ a: { '@any': [{ uri: 'urn:o', local: 'k', value: '1' }] } })
    expect(encode(schema, value)).toBe(
      '<t:v xmlns:q1="urn:o"><t:a q1:k="1">one<o:b xmlns:o="urn:o" xmlns:p="urn:p" p:l="2">p:q</o:b>two<c/>three</t:a></t:v>',
    )
  })

  test('declares a prefix again behind an element that used it for another namespace', () => {
    const value = decode(schema, '<a xmlns:p="urn:p"><p:b><p:b xmlns:p="urn:q" xmlns=""><c/></p:b><p:c/></p:b></a>')
    expect(encode(schema, value)).toContain(
      '<p:b xmlns:p="urn:p" xmlns="urn:t"><p:b xmlns:p="urn:q" xmlns=""><c/></p:b><p:c/></p:b>',
    )
  })

  test.each(['a'.repeat(200_000), '-1é'.repeat(60_000)])('reads a long text for prefixes once: %.10s', (text) => {
    const value = decode(schema, `<a><b xmlns="" xmlns:p="urn:p">${text} p:c</b></a>`)
    expect(encode(schema, value)).toContain(`xmlns:p="urn:p">${text} p:c</b>`)
  })

  test('keeps the prefixes that values use, also those of elements around', () => {
    const value = decode(schema, '<a xmlns:p="urn:p"><p:b i:type="x:int">5</p:b></a>')
    expect(encode(schema, value)).toContain(
      '<p:b xmlns:p="urn:p" xmlns:i="http://www.w3.org/2001/XMLSchema-instance" xmlns:x="http://www.w3.org/2001/XMLSchema" i:type="x:int">5</p:b>',
    )
  })

  test.each<[string, unknown]>([
    ['<a i:type="x:int"> 5 </a>', { $type: '{http://www.w3.org/2001/XMLSchema}int', value: 5 }],
    ['<a i:type="t:C"><n>5</n></a>', { $type: '{urn:t}C', n: 5 }],
  ])('%s is of the type that it names', (inner, value) => {
    expect(decode(schema, inner)).toEqual({ a: value })
    const written = encode(schema, { a: value })
    expect(
      decode(
        schema,
        written.replace(/^<t:v[^>]*>|<\/t:v>$/g, ''),
        'xmlns:q1="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
      ),
    ).toEqual({ a: value })
  })

  test('names a type without a namespace without a prefix', () => {
    const inner = `<x:complexType name="C"><x:sequence>${element('n', 'int')}</x:sequence></x:complexType>`
    const plain = compileSchema(
      `<x:schema xmlns:x="http://www.w3.org/2001/XMLSchema"><x:element name="v"/>${inner}</x:schema>`,
    )
    expect(plain.encode({ uri: '', local: 'v' }, { $type: '{}C', n: 5 })).toBe(
      '<v xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="C"><n>5</n></v>',
    )
  })

  test.each([
    ['<a i:type="x:int">x</a>', '/v/a is not an int.'],
    ['<a i:type="t:None"/>', '/v/a has an xsi:type that is not allowed here.'],
    ['<a><g>x</g></a>', '/v/a/g is not an int.'],
  ])('rejects %s', (inner, reason) => {
    expect(findOutcome(schema, inner)).toBe(reason)
  })

  test.each([
    [{ a: 5 }, 'v.a must be an object'],
    [{ a: { $type: 'None' } }, 'v.a has a $type that is not allowed here'],
    [{ a: { content: 'x' } }, 'v.a has a content that is not an array'],
    [{ a: { content: [{}] } }, 'an element must be one that was parsed'],
    [{ a: { content: [], '@any': [{ uri: 1 }] } }, 'v.a has an attribute in @any'],
  ])('does not write %j', (value, message) => {
    expect(() => encode(schema, value)).toThrow(message)
  })
})

describe('mixed content', () => {
  const schema = wrapSchema(
    '<x:sequence><x:element name="p"><x:complexType mixed="true"><x:sequence>' +
      `${element('b', 'int', 'minOccurs="0" maxOccurs="2"')}</x:sequence><x:attribute name="k"/></x:complexType></x:element></x:sequence>`,
  )
  test('keeps text and elements in their order', () => {
    const value = decode(schema, '<p k="1">one <b>2</b> three <!-- - --> four</p>')
    expect(value).toMatchObject({ p: { '@k': '1', content: ['one ', { local: 'b', text: '2' }, ' three  four'] } })
    expect(encode(schema, value)).toBe('<t:v><t:p k="1">one <b xmlns="urn:t">2</b> three  four</t:p></t:v>')
  })
  test.each([
    ['<p>a<b>x</b></p>', '/v/p/b is not an int.'],
    ['<p>a<c/></p>', '/v/p/c is not expected here.'],
    ['<p><b>1</b><b>1</b><b>1</b></p>', '/v/p/b[3] is not expected here.'],
  ])('checks the elements: %s', (inner, reason) => {
    expect(findOutcome(schema, inner)).toBe(reason)
  })
  test('checks what is written', () => {
    const { p } = decode(schema, '<p><b>1</b></p>') as { p: { content: unknown[] } }
    const [b] = p.content
    expect(() => encode(schema, { p: { content: [b, b, b] } })).toThrow('contains something that is not valid')
  })
})

describe('names as values (xs:QName)', () => {
  const schema = wrapSchema(
    `<x:sequence>${element('q', 'QName', 'maxOccurs="2"')}</x:sequence><x:attribute name="a" type="x:QName"/>`,
  )
  test('are a namespace and a local name', () => {
    const value = decode(schema, '<q xmlns:o="urn:o"> o:x </q><t:q xmlns="">y</t:q>', 'a="t:z"')
    expect(value).toEqual({
      q: [
        { uri: 'urn:o', local: 'x' },
        { uri: '', local: 'y' },
      ],
      '@a': { uri: 'urn:t', local: 'z' },
    })
    expect(encode(schema, value)).toBe('<t:v xmlns:q1="urn:o" a="t:z"><t:q>q1:x</t:q><t:q>y</t:q></t:v>')
  })
  test.each(['z:x', '1x', 'a:b:c', ''])('rejects %j', (text) => {
    expect(findOutcome(schema, `<q>${text}</q>`)).toBe('/v/q is not a QName.')
  })
  test('an enumeration of them is compared by what they mean', () => {
    const type =
      '<x:simpleType name="S"><x:restriction base="x:QName"><x:enumeration value="t:x"/></x:restriction></x:simpleType>'
    const limited = wrapSchema('<x:sequence><x:element name="q" type="t:S"/></x:sequence>', type)
    expect(decode(limited, '<q xmlns:u="urn:t">u:x</q>')).toEqual({ q: { uri: 'urn:t', local: 'x' } })
    expect(findOutcome(limited, '<q xmlns:t="urn:o">t:x</q>')).toContain('is not one of the allowed values')
    expect(() => encode(limited, { q: { uri: 'urn:o', local: 'x' } })).toThrow('is not one of the allowed values')
  })
})

describe('substitution groups', () => {
  const more =
    '<x:complexType name="Shape" abstract="true"><x:sequence/></x:complexType>' +
    ['Circle', 'Square']
      .map(
        (name) =>
          `<x:complexType name="${name}"><x:complexContent><x:extension base="t:Shape"><x:sequence>${element('size', 'int')}</x:sequence></x:extension></x:complexContent></x:complexType>` +
          `<x:element name="${name.toLowerCase()}" type="t:${name}" substitutionGroup="t:shape"/>`,
      )
      .join('') +
    '<x:element name="shape" type="t:Shape" abstract="true"/><x:element name="ring" type="t:Circle" substitutionGroup="t:circle"/>' +
    '<x:element name="note" type="x:string"/><x:element name="comment" substitutionGroup="t:note"/>'
  const schema = wrapSchema(
    '<x:sequence><x:element ref="t:shape" maxOccurs="9"/><x:element ref="t:note" minOccurs="0"/></x:sequence>',
    more,
  )

  test('any member stands for the head, under its own name', () => {
    const inner =
      '<circle><size>1</size></circle><square><size>2</size></square><ring><size>3</size></ring><comment>c</comment>'
    const value = {
      shape: [{ circle: { size: 1 } }, { square: { size: 2 } }, { ring: { size: 3 } }],
      note: { comment: 'c' },
    }
    expect(decode(schema, inner)).toEqual(value)
    expect(encode(schema, value)).toBe(`<t:v>${inner.replaceAll(/<(\/?)/g, '<$1t:')}</t:v>`)
  })
  test.each([
    ['<shape/>', '/v/shape is not expected here: circle is.'],
    ['<circle><size>x</size></circle>', '/v/circle/size is not an int.'],
  ])('rejects %s', (inner, reason) => {
    expect(findOutcome(schema, inner)).toBe(reason)
  })
  test('not if the head blocks it', () => {
    const blocked = wrapSchema(
      '<x:sequence><x:element ref="t:h"/></x:sequence>',
      '<x:element name="h" type="x:string" block="substitution"/><x:element name="m" type="x:string" substitutionGroup="t:h"/>',
    )
    expect(findOutcome(blocked, '<m/>')).toBe('/v/m is not expected here: h is.')
  })
})

describe('names that come twice', () => {
  test('in a sequence get a number', () => {
    const schema = wrapSchema(
      `<x:sequence>${element('a')}${element('b')}${element('a', 'string', 'maxOccurs="2"')}<x:choice maxOccurs="2">${element('c')}</x:choice><x:choice maxOccurs="2">${element('d')}</x:choice></x:sequence>`,
    )
    const inner = '<a>1</a><b>2</b><a>3</a><a>4</a><c>5</c><d>6</d>'
    const value = { a: '1', b: '2', a2: ['3', '4'], items: [{ c: '5' }], items2: [{ d: '6' }] }
    expect(decode(schema, inner)).toEqual(value)
    expect(encode(schema, value)).toBe(`<t:v>${inner.replaceAll(/<(\/?)/g, '<$1t:')}</t:v>`)
  })
  test('in alternatives of a choice are one property', () => {
    const schema = wrapSchema(
      `<x:choice><x:sequence>${element('a')}${element('b')}</x:sequence><x:sequence>${element('c')}${element('a')}</x:sequence></x:choice>`,
    )
    expect(decode(schema, '<a>1</a><b>2</b>')).toEqual({ a: '1', b: '2' })
    expect(decode(schema, '<c>1</c><a>2</a>')).toEqual({ c: '1', a: '2' })
    expect(encode(schema, { c: '1', a: '2' })).toBe('<t:v><t:c>1</t:c><t:a>2</t:a></t:v>')
    expect(encode(schema, { a: '1', b: '2' })).toBe('<t:v><t:a>1</t:a><t:b>2</t:b></t:v>')
    expect(() => encode(schema, { a: '1', b: '2', c: '3' })).toThrow('more than one alternative')
  })
  test('of attributes from two namespaces get a number', () => {
    const schema = wrapSchema(
      '<x:attribute name="g" type="x:int"/><x:attribute ref="t:g"/>',
      '<x:attribute name="g" type="x:int"/>',
    )
    expect(decode(schema, '', 'g="1" t:g="2"')).toEqual({ '@g': 1, '@g2': 2 })
    expect(encode(schema, { '@g': 1, '@g2': 2 })).toBe('<t:v g="1" t:g="2"/>')
  })
})

describe('wildcards are checked as they say', () => {
  const schema = (process: string): ReturnType<typeof wrapSchema> =>
    wrapSchema(`<x:sequence><x:any namespace="##any" processContents="${process}"/></x:sequence>`, element('g', 'int'))
  test.each([
    ['strict', '<g>x</g>', '/v/g is not an int.'],
    ['strict', '<h/>', '/v/h is not declared.'],
    ['lax', '<g>x</g>', '/v/g is not an int.'],
  ])('%s rejects %s', (process, inner, reason) => {
    expect(findOutcome(schema(process), inner)).toBe(reason)
  })
  test.each([
    ['strict', '<g>1</g>'],
    ['lax', '<h/>'],
    ['skip', '<g>x</g>'],
  ])('%s accepts %s, and writes it back', (process, inner) => {
    const value = decode(schema(process), inner)
    expect(encode(schema(process), value)).toMatch(/^<t:v><[gh] xmlns="urn:t"/)
  })
  test('what is written is checked too', () => {
    const value = decode(schema('skip'), '<g>x</g>')
    expect(() => encode(schema('lax'), value)).toThrow('v.any contains something that is not valid: ')
    const other = wrapSchema('<x:sequence><x:any namespace="urn:o" processContents="skip"/></x:sequence>')
    expect(() => encode(other, value)).toThrow('v.any is in a namespace that is not allowed here')
  })
})

describe('an element that was not parsed', () => {
  const schema = wrapSchema('<x:sequence><x:any processContents="skip"/></x:sequence>')
  const element = { uri: '', local: 'a', prefix: '', attributes: [], children: [], declarations: [], text: '' }
  const wrong = 'a><evil/'
  test.each<[string, object]>([
    ['a name', { local: wrong }],
    ['a prefix', { prefix: wrong, uri: 'urn:o' }],
    ['the name of an attribute', { attributes: [{ uri: '', local: wrong, prefix: '', value: '' }] }],
    ['the prefix of an attribute', { attributes: [{ uri: 'urn:o', local: 'b', prefix: wrong, value: '' }] }],
    ['a declared prefix', { declarations: [{ prefix: 'xmlns', local: wrong, value: 'urn:o' }] }],
    ['the name of a child', { children: [{ ...element, local: wrong }] }],
  ])('is not written with %s that is not one of XML', (_, part) => {
    expect(encode(schema, { any: element })).toBe('<t:v><a/></t:v>')
    expect(() => encode(schema, { any: { ...element, ...part } })).toThrow('is not a name of XML')
  })
})

describe('block', () => {
  const more =
    `<x:complexType name="B"><x:sequence>${element('a')}</x:sequence></x:complexType>` +
    `<x:complexType name="E"><x:complexContent><x:extension base="t:B"><x:sequence>${element('b')}</x:sequence></x:extension></x:complexContent></x:complexType>`
  test('excludes a derived type', () => {
    const inner = '<e i:type="t:E"><a/><b/></e>'
    const open = wrapSchema('<x:sequence><x:element name="e" type="t:B"/></x:sequence>', more)
    expect(findOutcome(open, inner)).toMatchObject({ e: { $type: 'E' } })
    for (const block of ['#all', 'extension']) {
      const blocked = wrapSchema(`<x:sequence><x:element name="e" type="t:B" block="${block}"/></x:sequence>`, more)
      expect(findOutcome(blocked, inner)).toBe('/v/e has an xsi:type that is not allowed here.')
    }
  })
})

describe('identity constraints (XSD part 1, 3.11)', () => {
  test.each([
    ['decimal', '1.5', '01.50'],
    ['decimal', '0', '-0.0'],
    ['decimal', '.5', '+0.5'],
    ['long', '12', '+012'],
    ['double', '1e1', '10'],
    ['boolean', 'true', '1'],
    ['dateTime', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00.00+01:00'],
    ['dateTime', '2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.1234560Z'],
    ['date', '2026-01-01Z', '2026-01-01+00:00'],
    ['time', '00:30:00+01:00', '23:30:00Z'],
    ['base64Binary', 'AA==', 'A A = ='],
    ['hexBinary', '0a', '0A'],
    ['gYear', '2000Z', '2000+00:00'],
    ['gMonthDay', '--02-29Z', '--02-29-00:00'],
    ['QName', 't:a', 'a'],
    ['NMTOKENS', 'a b', ' a  b '],
  ])('%s: %s and %s are one value', (type, a, b) => {
    expect(uniqueOf(type, a, b)).toBe('/v has a value of k twice.')
  })

  test.each([
    ['decimal', '1.5', '15'],
    ['decimal', '100', '1'],
    ['decimal', '0.05', '0.5'],
    ['decimal', '1', '-1'],
    ['string', '1', '01'],
    ['string', '1'.repeat(200_000), `${'1'.repeat(200_000)}x`],
    ['dateTime', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00'],
    ['dateTime', '2026-01-01T00:00:00.123456Z', '2026-01-01T00:00:00.123457Z'],
    ['time', '00:30:00+01:00', '00:30:00Z'],
    ['gDay', '---01', '---02'],
  ])('%s: %.30s and %.30s are two', (type, a, b) => {
    expect(uniqueOf(type, a, b)).toHaveProperty('item', [a, b])
  })

  function uniqueOf(type: string, a: string, b: string): unknown {
    const items = `<x:element name="item" type="x:${type}" maxOccurs="unbounded"/>`
    const unique = '<x:unique name="k"><x:selector xpath="t:item"/><x:field xpath="."/></x:unique>'
    const declared = `<x:element name="v"><x:complexType><x:sequence>${items}</x:sequence></x:complexType>${unique}</x:element>`
    return findOutcome(compileSchema(`${head()}${declared}</x:schema>`), `<item>${a}</item><item>${b}</item>`)
  }

  const list =
    '<x:element name="v"><x:complexType><x:sequence>' +
    '<x:element name="item" maxOccurs="unbounded"><x:complexType><x:sequence><x:element name="ref" type="x:int" minOccurs="0"/></x:sequence><x:attribute name="id" type="x:int"/></x:complexType></x:element>' +
    '</x:sequence></x:complexType>'
  const schemaFor = (constraints: string): ReturnType<typeof wrapSchema> =>
    compileSchema(`${head()}${list}${constraints}</x:element></x:schema>`)
  const key = (kind: string, field = '@id'): string =>
    `<x:${kind} name="k"><x:selector xpath="t:item"/><x:field xpath="${field}"/></x:${kind}>`
  const keyref = '<x:keyref name="r" refer="t:k"><x:selector xpath=".//t:item"/><x:field xpath="t:ref"/></x:keyref>'
  test.each<[string, string, string]>([
    [key('unique'), '<item id="1"/><item id="01"/>', '/v has a value of k twice.'],
    [key('key'), '<item id="1"/><item/>', '/v lacks a value of the key k.'],
    [key('key') + keyref, '<item id="1"><ref>2</ref></item>', '/v has a reference of r that matches no key.'],
  ])('%s rejects %s', (constraints, inner, reason) => {
    expect(findOutcome(schemaFor(constraints), inner)).toBe(reason)
  })
  test.each<[string, string]>([
    [key('unique'), '<item/><item/><item id="1"/>'],
    [key('key') + keyref, '<item id="1"><ref>2</ref></item><item id="2"><ref>01</ref></item>'],
  ])('%s accepts %s', (constraints, inner) => {
    expect(findOutcome(schemaFor(constraints), inner)).toHaveProperty('item')
  })
})

test('an array of SOAP encoding has any content, and the type of all arrays', () => {
  const encoding = 'http://schemas.xmlsoap.org/soap/encoding/'
  const array =
    '<x:complexType name="Names"><x:complexContent><x:restriction base="c:Array"><x:attribute ref="c:arrayType"/></x:restriction></x:complexContent></x:complexType>'
  const schema = compileSchema(
    `${head().replace('>', ` xmlns:c="${encoding}">`)}<x:import namespace="${encoding}"/><x:element name="v" type="t:Names"/>${array}</x:schema>`,
  )
  const inner = '<item xmlns="">a</item><item xmlns="">b</item>'
  const value = decode(schema, inner, `xmlns:c="${encoding}" i:type="c:Array" c:arrayType="x:string[2]"`)
  expect(value).toMatchObject({ any: [{ text: 'a' }, { text: 'b' }] })
  expect(encode(schema, value)).toContain('<item>a</item><item>b</item>')
  expect(findOutcome(schema, '', `xmlns:c="${encoding}" i:type="c:Struct"`)).toContain(
    'an xsi:type that is not allowed',
  )
})
