import { attribute, type Content, complex, element, OPTIONAL, sequence, single, text } from './shapes.ts'

/** Global declarations, forms, names, identity constraints, annotations. */
export const DECLARATIONS: readonly Content[] = [
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
    'keys and references',
    sequence('<x:element ref="t:graph"/>'),
    `<x:element name="graph"><x:complexType>${sequence(element('node', 't:Node'), element('edge', 't:Edge', OPTIONAL))}</x:complexType>` +
      '<x:key name="id"><x:selector xpath="t:node"/><x:field xpath="@id"/></x:key>' +
      '<x:unique name="label"><x:selector xpath="t:node"/><x:field xpath="@label"/></x:unique>' +
      '<x:keyref name="to" refer="t:id"><x:selector xpath="t:edge"/><x:field xpath="@to"/></x:keyref></x:element>' +
      complex('Node', attribute('id', 'x:int', 'use="required"') + attribute('label', 'x:string')) +
      complex('Edge', attribute('to', 'x:int', 'use="required"')),
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
    'documentation and foreign attributes',
    sequence(
      '<x:element name="a" type="x:int" m:note="1" xmlns:m="urn:meta"><x:annotation><x:documentation>What &lt;it&gt; is.</x:documentation><x:appinfo><m:x/></x:appinfo></x:annotation></x:element>',
    ),
  ],
]
