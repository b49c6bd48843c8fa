import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SoapFault } from '../fault.ts'
import { formatPath, resolveQName } from './element.ts'
import { DEFAULT_LIMITS, type MessageLimits, resolveLimits } from './limits.ts'
import { treeReader } from './tree.ts'

function read(xml: string, limits: Partial<MessageLimits> = {}) {
  const reader = treeReader({ limits: { ...DEFAULT_LIMITS, ...limits } })
  reader.write(xml)
  return reader.end()
}

function refusalOf(xml: string, limits: Partial<MessageLimits> = {}): string {
  try {
    read(xml, limits)
    return 'accepted'
  } catch (error) {
    expect(error).toBeInstanceOf(SoapFault)
    const fault = error as SoapFault
    expect(fault.code).toBe('Sender')
    return fault.subcodes[0]?.local ?? ''
  }
}

describe('refuses what is not well-formed (XML 1.0)', () => {
  test.each([
    ['nothing', ''],
    ['white space alone', ' \n'],
    ['text alone', 'a'],
    ['an open element', '<a>'],
    ['a tag that ends in the middle', '<a'],
    ['an attribute that ends in the middle', '<a b="'],
    ['crossed tags', '<a><b></a></b>'],
    ['an end tag without a start', '</a>'],
    ['an end tag too many', '<a/></a>'],
    ['an empty end tag', '<a></>'],
    ['two roots', '<a/><b/>'],
    ['text before the root', 'x<a/>'],
    ['text behind the root', '<a/>x'],
    ['CDATA behind the root', '<a/><![CDATA[x]]>'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['an attribute twice by two prefixes', '<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>'],
    ['a namespace declaration twice', '<a xmlns:p="u" xmlns:p="v"/>'],
    ['an attribute without a value', '<a b/>'],
    ['an attribute without quotes', '<a b=1/>'],
    ['an attribute with mixed quotes', `<a b="1'/>`],
    ['attributes without a space', '<a b="1"c="2"/>'],
    ['< in an attribute', '<a b="<"/>'],
    ['a bare ampersand', '<a>&</a>'],
    ['a reference without its end', '<a>&amp</a>'],
    ['an entity that HTML knows', '<a>&nbsp;</a>'],
    ['an entity named like a property', '<a>&constructor;</a>'],
    ['an entity named __proto__', '<a>&__proto__;</a>'],
    ['a reference to U+0000', '<a>&#0;</a>'],
    ['a reference to a control character', '<a>&#1;</a>'],
    ['a reference to a surrogate', '<a>&#xD800;</a>'],
    ['a reference beyond Unicode', '<a>&#x110000;</a>'],
    ['a reference to U+FFFE', '<a>&#xFFFE;</a>'],
    ['a NUL', '<a>\0</a>'],
    ['a control character', '<a>\x01</a>'],
    ['U+FFFF', '<a>\uffff</a>'],
    [']]> in text', '<a>]]></a>'],
    ['an open comment', '<a><!-- </a>'],
    ['-- in a comment', '<a><!-- -- --></a>'],
    ['--- at the end of a comment', '<a><!-- a ---></a>'],
    ['open CDATA', '<a><![CDATA[x</a>'],
    ['CDATA in small letters', '<a><![cdata[x]]></a>'],
    ['a late XML declaration', ' <?xml version="1.0"?><a/>'],
    ['two XML declarations', '<?xml version="1.0"?><?xml version="1.0"?><a/>'],
    ['an XML declaration without version', '<?xml encoding="UTF-8"?><a/>'],
    ['XML 1.1', '<?xml version="1.1"?><a/>'],
    ['XML 2.0', '<?xml version="2.0"?><a/>'],
    ['an unbound prefix', '<p:a/>'],
    ['an unbound prefix of an attribute', '<a p:b="1"/>'],
    ['a prefix bound in a sibling', '<a><b xmlns:p="u"/><p:c/></a>'],
    ['a prefix unbound again', '<a xmlns:p="u"><b xmlns:p=""/></a>'],
    ['xml bound to another namespace', '<a xmlns:xml="u"/>'],
    ['another prefix bound to that of xml', '<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>'],
    ['xmlns bound', '<a xmlns:xmlns="u"/>'],
    ['the namespace of xmlns bound', '<a xmlns:p="http://www.w3.org/2000/xmlns/"/>'],
    ['an element with the prefix xmlns', '<xmlns:a/>'],
    ['two colons', '<p:q:a xmlns:p="u"/>'],
    ['an empty prefix', '<:a/>'],
    ['an empty local name', '<p: xmlns:p="u"/>'],
    ['a local name that starts with a digit', '<p:1 xmlns:p="u"/>'],
    ['an attribute whose local name starts with a digit', '<a xmlns:p="u" p:1=""/>'],
    ['a prefix that starts with a digit', '<a xmlns:1="u"/>'],
    ['a name that starts with a digit', '<1/>'],
    ['white space around a namespace name', '<a xmlns=" u"/>'],
    ['white space around the namespace name of a prefix', '<p:a xmlns:p="u&#x20;"/>'],
  ])('%s', (_, xml) => {
    expect(refusalOf(xml)).toBe('MalformedXml')
  })

  test.each([
    ['a document type', '<!DOCTYPE a><a/>', 'DtdNotAllowed'],
    ['a document type with entities', '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', 'DtdNotAllowed'],
    ['an external subset', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'DtdNotAllowed'],
    ['a document type that never ends', `<!DOCTYPE a [${'<!ENTITY e "x">'.repeat(1000)}`, 'DtdNotAllowed'],
    ['a processing instruction before', '<?p x?><a/>', 'ProcessingInstructionNotAllowed'],
    ['a processing instruction inside', '<a><?p?></a>', 'ProcessingInstructionNotAllowed'],
    ['a processing instruction behind', '<a/><?xml-stylesheet href="x"?>', 'ProcessingInstructionNotAllowed'],
  ])('%s (SOAP 1.2 part 1, 5)', (_, xml, subcode) => {
    expect(refusalOf(xml)).toBe(subcode)
  })
})

test('refuses a document type at its start, before the rest has come', () => {
  const reader = treeReader({ limits: DEFAULT_LIMITS })
  expect(() => reader.write('<!DOCTYPE ')).toThrow('document type')
})

test.each([
  ['an XML declaration with everything', '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><a/>'],
  ['comments everywhere', '<!-- a --><a><!-- <b> --></a><!-- c -->'],
  ['the five entities and numbers', '<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x42;</a>'],
  ['names of properties as names', '<constructor __proto__="1" toString="2"><hasOwnProperty/></constructor>'],
  ['redeclared prefixes', '<p:a xmlns:p="u"><p:b xmlns:p="v"/></p:a>'],
  ['the default namespace taken back', '<a xmlns="u"><b xmlns=""/></a>'],
  ['names beyond ASCII', '<größe 単位="kg">5</größe>'],
  ['white space in tags', '<a \n b = "1" ></a >'],
])('reads %s', (_, xml) => {
  expect(refusalOf(xml)).toBe('accepted')
})

test('joins text and CDATA of an element and leaves comments out', () => {
  expect(read('<a>12<!-- -->34<![CDATA[<?xml version="1.0"?>]]>&#x20;</a>').text).toBe('1234<?xml version="1.0"?> ')
  expect(read('<a>\r\n\t&#xD;</a>').text).toBe('\n\t\r')
})

test('keeps names, attributes and namespaces', () => {
  const root = read('<p:a xmlns:p="u" xmlns="d" p:x="1" x="2" xml:lang="en"><b/></p:a>')
  expect(root).toMatchObject({ uri: 'u', local: 'a', prefix: 'p' })
  expect(root.attributes.map(({ uri, local, value }) => [uri, local, value])).toEqual([
    ['u', 'x', '1'],
    ['', 'x', '2'],
    ['http://www.w3.org/XML/1998/namespace', 'lang', 'en'],
  ])
  const [child] = root.children
  expect(child).toMatchObject({ uri: 'd', local: 'b', attributes: [] })
  expect(child && resolveQName(child, ' p:q ')).toEqual({ uri: 'u', local: 'q' })
  expect(child && resolveQName(child, 'q')).toEqual({ uri: 'd', local: 'q' })
  expect(child && resolveQName(child, 'z:q')).toBeUndefined()
  expect(child && resolveQName(child, 'p:')).toBeUndefined()
})

test('says where an element stands', () => {
  const root = read('<a><b/><c/><b><d/></b></a>')
  const last = root.children[2]?.children[0]
  expect(last && formatPath(last)).toBe('/a/b[2]/d')
})

describe('refuses what is beyond a limit', () => {
  const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth)
  test.each<[string, Partial<MessageLimits>, string, string]>([
    ['depth', { maxDepth: 5 }, nested(5), nested(6)],
    ['elements', { maxElements: 3 }, '<a><b/><b/></a>', '<a><b/><b/><b/></a>'],
    ['children', { maxChildren: 2 }, '<a><b/><b/></a>', '<a><b/><b/><b/></a>'],
    ['attributes', { maxAttributes: 2 }, '<a b="1" xmlns="u"/>', '<a b="1" xmlns="u" xmlns:p="v"/>'],
    ['attributeValue', { maxAttributeLength: 3 }, '<a b="123"/>', '<a b="1234"/>'],
    ['text', { maxTextLength: 3 }, '<a>1<b/>23</a>', '<a>1<b/>23<![CDATA[4]]></a>'],
    ['name of an element', { maxNameLength: 3 }, '<abc/>', '<abcd/>'],
    ['name of an attribute', { maxNameLength: 3 }, '<a abc="1"/>', '<a abcd="1"/>'],
  ])('%s', (_, limits, fits, exceeds) => {
    expect(refusalOf(fits, limits)).toBe('accepted')
    expect(refusalOf(exceeds, limits)).toBe('LimitExceeded')
  })

  test('40,000 nested elements end at the 65th, at once', () => {
    const start = process.cpuUsage()
    expect(refusalOf('<a>'.repeat(40_000))).toBe('LimitExceeded')
    expect(process.cpuUsage(start).user).toBeLessThan(500_000)
  })

  test('options of limits are checked', () => {
    expect(resolveLimits('x', { maxDepth: 3 })).toEqual({ ...DEFAULT_LIMITS, maxDepth: 3 })
    expect(() => resolveLimits('x', { maxDept: 3 } as Partial<MessageLimits>)).toThrow('did you mean "maxDepth"?')
    expect(() => resolveLimits('x', { maxDepth: 0 })).toThrow('x: limits.maxDepth must be a positive integer, got 0')
    expect(() => resolveLimits('x', { maxDepth: '3' as unknown as number })).toThrow('got "3"')
  })
})

test('throws nothing but faults, whatever the text is', () => {
  const piece = fc.constantFrom(
    '<a',
    '>',
    '</a>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '&lt;',
    '&',
    '<?x',
    '?>',
    ' b="1"',
    '\r',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 30 }), (pieces) => {
      expect(refusalOf(pieces.join(''))).toBeTypeOf('string')
    }),
    { numRuns: 2000 },
  )
})
