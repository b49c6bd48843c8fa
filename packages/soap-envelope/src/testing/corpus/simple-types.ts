import { attribute, type Content, element, facet, MANY, named, restriction, sequence, single } from './shapes.ts'

const pattern = (value: string): readonly [string, string] => [
  single('t:S'),
  named('S', 'x:string', facet('pattern', value)),
]
const SIMPLE = [
  'string',
  'normalizedString',
  'token',
  'language',
  'NMTOKEN',
  'NMTOKENS',
  'Name',
  'NCName',
  'anyURI',
  'boolean',
  'decimal',
  'integer',
  'long',
  'int',
  'short',
  'byte',
  'nonNegativeInteger',
  'positiveInteger',
  'negativeInteger',
  'unsignedLong',
  'unsignedInt',
  'unsignedShort',
  'unsignedByte',
  'float',
  'double',
  'duration',
  'dateTime',
  'date',
  'time',
  'gYear',
  'gYearMonth',
  'gMonth',
  'gMonthDay',
  'gDay',
  'base64Binary',
  'hexBinary',
  'QName',
]

/** Simple types: all that are built in, patterns and other facets, lists, unions. */
export const SIMPLE_TYPES: readonly Content[] = [
  ['every simple type', sequence(...SIMPLE.map((name) => element(`v-${name}`, `x:${name}`)))],
  ['every simple type as an attribute', SIMPLE.map((name) => attribute(`v-${name}`, `x:${name}`)).join('')],
  ['every simple type as a list', sequence(...SIMPLE.map((name) => element(`v-${name}`, `x:${name}`, MANY)))],
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
  [
    'a NOTATION',
    single('t:S'),
    `<x:notation name="gif" public="image/gif"/>${named('S', 'x:NOTATION', facet('enumeration', 't:gif'))}`,
  ],
]
