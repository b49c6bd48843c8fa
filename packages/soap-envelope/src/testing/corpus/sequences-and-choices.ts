import { type Content, complex, element, MANY, OPTIONAL, sequence, single } from './shapes.ts'

/** Model groups: how often elements come, and in which order. */
export const SEQUENCES_AND_CHOICES: readonly Content[] = [
  ['nothing', ''],
  ['an empty sequence', '<x:sequence/>'],
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
]
