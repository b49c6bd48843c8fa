import {
  attribute,
  type Content,
  complex,
  element,
  extension,
  facet,
  MANY,
  OPTIONAL,
  sequence,
  single,
  text,
} from './shapes.ts'

/** Types with elements and attributes: trees, extensions, restrictions, text with attributes. */
export const COMPLEX_TYPES: readonly Content[] = [
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
  ['a blocked type', single('t:B'), complex('B', single('x:int'), 'block="#all" final="restriction"')],
]
