import { type Content, complex, element, MANY, OPTIONAL, sequence, single } from './shapes.ts'

const any = (more: string): string => `<x:any ${more}/>`

/** Openings of schemas: untyped elements, wildcards, mixed content, substitutes. */
export const OPEN_CONTENT: readonly Content[] = [
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
]
