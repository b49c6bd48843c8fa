import { attribute, complex, element, extension, facet, restriction, sequence, text } from './shapes.ts'

/** The content of a message: that of its type, and what the type needs elsewhere. */
export type Content = readonly [name: string, content: string, more?: string, schemaMore?: string]

const OPTIONAL = 'minOccurs="0"'
const MANY = 'minOccurs="0" maxOccurs="unbounded"'
const single = (type: string): string => sequence(element('a', type))
const named = (name: string, base: string, facets: string): string =>
  restriction(base, facets).replace('<x:simpleType>', `<x:simpleType name="${name}">`)
const pattern = (value: string): readonly [string, string] => [
  single('t:S'),
  named('S', 'x:string', facet('pattern', value)),
]
const any = (more: string): string => `<x:any ${more}/>`

const SIMPLE = [
  ...['string', 'normalizedString', 'token', 'language', 'NMTOKEN', 'NMTOKENS', 'Name', 'NCName', 'anyURI', 'boolean'],
  ...['decimal', 'integer', 'long', 'int', 'short', 'byte', 'nonNegativeInteger', 'positiveInteger', 'negativeInteger'],
  ...[
    'unsignedLong',
    'unsignedInt',
    'unsignedShort',
    'unsignedByte',
    'float',
    'double',
    'duration',
    'dateTime',
    'date',
  ],
  ...['time', 'gYear', 'gYearMonth', 'gMonth', 'gMonthDay', 'gDay', 'base64Binary', 'hexBinary', 'QName'],
]

/** The contents of messages that contracts have, each once. */
export const CONTENTS: readonly Content[] = [
  ['nothing', ''],
  ['an empty sequence', '<x:sequence/>'],
  ['every simple type', sequence(...SIMPLE.map((name) => element(`v-${name}`, `x:${name}`)))],
  ['every simple type as an attribute', SIMPLE.map((name) => attribute(`v-${name}`, `x:${name}`)).join('')],
  ['every simple type as a list', sequence(...SIMPLE.map((name) => element(`v-${name}`, `x:${name}`, MANY)))],
  [
    'optional and nillable elements',
    sequence(
      element('a', 'x:int', OPTIONAL),
      element('b', 'x:int', 'nillable="true"'),
      element('c', 'x:int', `${OPTIONAL} nillable="true"`),
    ),
  ],
  [
    'bounded lists',
    sequence(element('a', 'x:int', 'minOccurs="2" maxOccurs="3"'), element('b', 'x:string', 'maxOccurs="2"')),
  ],
  ['a nillable list', sequence(element('a', 'x:string', `${MANY} nillable="true"`))],
  [
    'an array type of ASMX',
    single('t:ArrayOfString'),
    complex('ArrayOfString', sequence(element('string', 'x:string', `${MANY} nillable="true"`))),
  ],
  ['a choice', `<x:choice>${element('a', 'x:int')}${element('b', 'x:string')}</x:choice>`],
  [
    'a choice in a sequence',
    sequence(element('z', 'x:int'), `<x:choice>${element('a', 'x:int')}${element('b', 'x:string')}</x:choice>`),
  ],
  [
    'two choices',
    sequence(
      ...['a', 'c'].map((name) => `<x:choice>${element(name, 'x:int')}${element(`${name}2`, 'x:string')}</x:choice>`),
    ),
  ],
  ['an optional choice', `<x:choice minOccurs="0">${element('a', 'x:int')}${element('b', 'x:string')}</x:choice>`],
  [
    'a choice of sequences',
    `<x:choice>${sequence(element('a', 'x:int'), element('b', 'x:int'))}${sequence(element('c', 'x:int'), element('a', 'x:int'))}</x:choice>`,
  ],
  ['a choice with a list', `<x:choice>${element('a', 'x:int', 'maxOccurs="3"')}${element('b', 'x:string')}</x:choice>`],
  [
    'a repeated choice',
    `<x:choice maxOccurs="unbounded">${element('a', 'x:int')}${element('b', 'x:string')}</x:choice>`,
  ],
  [
    'two repeated choices',
    sequence(
      ...['a', 'b'].map(
        (name) =>
          `<x:choice minOccurs="0" maxOccurs="3">${element(name, 'x:int')}${element(`${name}2`, 'x:string')}</x:choice>`,
      ),
    ),
  ],
  [
    'a repeated sequence',
    `<x:sequence maxOccurs="unbounded">${element('k', 'x:string')}${element('v', 'x:int', OPTIONAL)}</x:sequence>`,
  ],
  [
    'a sequence in a sequence',
    sequence(
      element('a', 'x:int'),
      `<x:sequence minOccurs="0">${element('b', 'x:int')}${element('c', 'x:int')}</x:sequence>`,
    ),
  ],
  ['all', `<x:all>${element('a', 'x:int')}${element('b', 'x:string', OPTIONAL)}</x:all>`],
  ['one name twice', sequence(element('a', 'x:int'), element('b', 'x:int'), element('a', 'x:int', OPTIONAL))],
  [
    'a group',
    '<x:group ref="t:G"/>',
    `<x:group name="G">${sequence(element('a', 'x:int'), element('b', 'x:int'))}</x:group>`,
  ],
  [
    'a repeated group',
    '<x:group ref="t:G" maxOccurs="2"/>',
    `<x:group name="G"><x:choice>${element('a', 'x:int')}${element('b', 'x:int')}</x:choice></x:group>`,
  ],
  [
    'references to elements',
    sequence('<x:element ref="t:r"/>', '<x:element ref="t:l" minOccurs="0" maxOccurs="2"/>'),
    element('r', 'x:int') + element('l', 'x:string'),
  ],
  [
    'a tree',
    sequence(element('label', 'x:string'), element('child', 't:Tree', MANY)),
    complex('Tree', sequence(element('label', 'x:string'), element('child', 't:Tree', MANY))),
  ],
  [
    'types that contain each other',
    single('t:A'),
    complex('A', sequence(element('b', 't:B', OPTIONAL))) + complex('B', sequence(element('a', 't:A', OPTIONAL))),
  ],
  [
    'types inside types',
    sequence(
      `<x:element name="a"><x:complexType>${sequence(`<x:element name="b"><x:complexType>${single('x:int')}</x:complexType></x:element>`)}</x:complexType></x:element>`,
    ),
  ],
  [
    'an extension',
    single('t:E'),
    complex('B', single('x:int')) +
      complex('E', extension('t:B', sequence(element('b', 'x:string')) + attribute('c', 'x:int'))),
  ],
  [
    'a type for the base by xsi:type',
    single('t:B'),
    complex('B', single('x:int')) + complex('E', extension('t:B', sequence(element('b', 'x:string')))),
  ],
  [
    'an abstract type',
    sequence(element('a', 't:B', 'maxOccurs="2"')),
    complex('B', single('x:int'), 'abstract="true"') +
      complex('E', extension('t:B', sequence(element('b', 'x:string')))),
  ],
  [
    'an extension of nothing',
    single('t:E'),
    complex('B', '') + complex('E', extension('t:B', sequence(element('b', 'x:string')))),
  ],
  [
    'an extension that adds attributes',
    single('t:E'),
    complex('B', single('x:int')) + complex('E', extension('t:B', attribute('c', 'x:int'))),
  ],
  [
    'a restriction',
    single('t:R'),
    complex('B', sequence(element('a', 'x:string'), element('b', 'x:int', OPTIONAL)) + attribute('p', 'x:int')) +
      complex(
        'R',
        `<x:complexContent><x:restriction base="t:B">${sequence(element('a', 'x:token'))}<x:attribute name="p" use="prohibited"/></x:restriction></x:complexContent>`,
      ),
  ],
  [
    'text with attributes',
    sequence(
      `<x:element name="price"><x:complexType>${text('x:decimal', attribute('currency', 'x:string', 'use="required"'))}</x:complexType></x:element>`,
    ),
  ],
  [
    'text with attributes, restricted',
    single('t:R'),
    complex('P', text('x:string', attribute('u', 'x:string'))) +
      complex(
        'R',
        `<x:simpleContent><x:restriction base="t:P">${facet('maxLength', '3')}</x:restriction></x:simpleContent>`,
      ),
  ],
  [
    'attributes with defaults',
    sequence(element('a', 'x:int')) + attribute('d', 'x:int', 'default="5"') + attribute('f', 'x:string', 'fixed="F"'),
  ],
  [
    'an attribute group',
    '<x:attributeGroup ref="t:G"/>',
    `<x:attributeGroup name="G">${attribute('a', 'x:int')}${attribute('b', 'x:int', 'use="required"')}</x:attributeGroup>`,
  ],
  ['a global attribute', '<x:attribute ref="t:g"/>', attribute('g', 'x:int')],
  [
    'xml:lang without a location',
    sequence(
      `<x:element name="title"><x:complexType>${text('x:string', '<x:attribute ref="xml:lang"/>')}</x:complexType></x:element>`,
    ),
  ],
  [
    'fixed and default elements',
    sequence(element('f', 'x:string', 'fixed="F"'), element('d', 'x:int', 'default="5" minOccurs="0"')),
  ],
  [
    'an enumeration',
    single('t:S'),
    named('S', 'x:string', ['NEW', 'PAID', 'SENT OUT'].map((value) => facet('enumeration', value)).join('')),
  ],
  ['a hyphen at the end of a class', ...pattern('[A-Za-z0-9_-]+')],
  ['a class of phone numbers', ...pattern('[0-9 +()-]*')],
  ['a class without a hyphen', ...pattern('[^-]+')],
  ['letters of all scripts', ...pattern('[\\p{L}_]+')],
  ['escaped hyphens', ...pattern('[A-Z]{3}\\-\\d{3}')],
  ['a block', ...pattern('\\p{IsBasicLatin}*')],
  ['a subtracted class', ...pattern('[a-z-[aeiou]]+|abcdef')],
  ['names by escapes', ...pattern('\\i\\c*')],
  ['lengths', single('t:S'), named('S', 'x:string', facet('minLength', '1') + facet('maxLength', '3'))],
  ['a fixed length', single('t:S'), named('S', 'x:string', facet('length', '2'))],
  [
    'ranges',
    single('t:S'),
    named(
      'S',
      'x:decimal',
      facet('minExclusive', '0') +
        facet('maxInclusive', '99.99') +
        facet('fractionDigits', '2') +
        facet('totalDigits', '4'),
    ),
  ],
  [
    'a range of durations',
    single('t:S'),
    named('S', 'x:duration', facet('minInclusive', 'P1D') + facet('maxInclusive', 'P10Y')),
  ],
  [
    'bounds of many digits',
    single('t:S'),
    named('S', 'x:integer', facet('maxInclusive', '9'.repeat(22)) + facet('minInclusive', '0')),
  ],
  ['a list type', single('t:S'), '<x:simpleType name="S"><x:list itemType="x:int"/></x:simpleType>'],
  [
    'a union',
    single('t:S'),
    `<x:simpleType name="S"><x:union memberTypes="x:int x:date">${restriction('x:string', facet('enumeration', 'unknown'))}</x:union></x:simpleType>`,
  ],
  [
    'collapsed white space',
    single('t:S'),
    named('S', 'x:string', facet('whiteSpace', 'collapse') + facet('minLength', '1')),
  ],
  [
    'a restriction of a restriction',
    single('t:U'),
    named('S', 'x:string', facet('maxLength', '9')) + named('U', 't:S', facet('pattern', '[a-z]+')),
  ],
  ['an untyped element', sequence('<x:element name="a"/>')],
  ['anyType', sequence(element('a', 'x:anyType', 'minOccurs="0" nillable="true"'))],
  ['anySimpleType', single('x:anySimpleType')],
  [
    'a wildcard of other namespaces',
    sequence(
      element('a', 'x:int'),
      any('namespace="##other" processContents="lax" minOccurs="0" maxOccurs="unbounded"'),
    ),
  ],
  ['a wildcard that skips', sequence(any('processContents="skip"'))],
  [
    'attributes of other namespaces',
    `${sequence(element('a', 'x:int'))}<x:anyAttribute namespace="##other" processContents="lax"/>`,
  ],
  [
    'mixed content',
    sequence(
      `<x:element name="p"><x:complexType mixed="true">${sequence(element('b', 'x:string', MANY))}</x:complexType></x:element>`,
    ),
  ],
  [
    'a mixed base',
    single('t:E'),
    complex('B', sequence(element('b', 'x:string', OPTIONAL)), 'mixed="true"') +
      complex(
        'E',
        '<x:complexContent mixed="true"><x:extension base="t:B"><x:attribute name="k"/></x:extension></x:complexContent>',
      ),
  ],
  [
    'a substitution group',
    sequence('<x:element ref="t:shape" maxOccurs="2"/>'),
    element('shape', 't:Shape', 'abstract="true"') +
      complex('Shape', single('x:int')) +
      element('circle', 't:Shape', 'substitutionGroup="t:shape"') +
      element('square', 't:Shape', 'substitutionGroup="t:shape"'),
  ],
  [
    'one substitute',
    sequence('<x:element ref="t:note"/>'),
    `${element('note', 'x:string')}<x:element name="comment" substitutionGroup="t:note"/>`,
  ],
  [
    'a key and a reference',
    sequence(element('g', 't:Graph')),
    `<x:element name="graph" type="t:Graph">${'<x:key name="k"><x:selector xpath="t:node"/><x:field xpath="@id"/></x:key>'}</x:element>` +
      complex(
        'Graph',
        sequence(
          `<x:element name="node" maxOccurs="9"><x:complexType>${attribute('id', 'x:int', 'use="required"')}</x:complexType></x:element>`,
        ),
      ),
  ],
  ['unqualified elements', sequence(element('a', 'x:int'), element('b', 'x:string', OPTIONAL)), '', ''],
  [
    'qualified attributes',
    single('x:int') + attribute('q', 'x:int'),
    '',
    'elementFormDefault="qualified" attributeFormDefault="qualified"',
  ],
  ['forms of their own', sequence(element('a', 'x:int', 'form="unqualified"'), element('b', 'x:int'))],
  [
    'names that JavaScript has',
    sequence(
      ...['constructor', 'toString', 'items', 'any', 'content', 'value'].map((name) => element(name, 'x:string')),
    ),
  ],
  [
    'names with dots and letters of other scripts',
    sequence(element('größe.x-1', 'x:int'), element('名', 'x:string')) + attribute('é', 'x:int'),
  ],
  [
    'a NOTATION',
    single('t:S'),
    `<x:notation name="gif" public="image/gif"/>${named('S', 'x:NOTATION', facet('enumeration', 't:gif'))}`,
  ],
  ['a blocked type', single('t:B'), complex('B', single('x:int'), 'block="#all" final="restriction"')],
  [
    'documentation and foreign attributes',
    sequence(
      '<x:element name="a" type="x:int" m:note="1" xmlns:m="urn:meta"><x:annotation><x:documentation>What &lt;it&gt; is.</x:documentation><x:appinfo><m:x/></x:appinfo></x:annotation></x:element>',
    ),
  ],
]
