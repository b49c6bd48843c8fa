import { describe, expect, test } from 'vitest'
import { findOutcome, read, restriction, schemaFor, write } from '../testing/simple-values.ts'

describe('facets (XSD part 2, 4.3)', () => {
  const facet = (name: string, value: string): string => `<x:${name} value="${value}"/>`
  test.each<[string, string, string, string]>([
    ['string', facet('length', '2'), '日😀', '日'],
    ['string', facet('minLength', '2'), '日本', '日'],
    ['string', facet('maxLength', '2'), '😀😀', 'abc'],
    ['string', facet('enumeration', 'a b') + facet('enumeration', 'c'), 'a b', 'a  b'],
    ['token', facet('enumeration', 'a b'), ' a  b ', 'ab'],
    ['decimal', facet('enumeration', '1.0'), '1.00', '1.01'],
    ['string', facet('pattern', '[A-Z]{2}') + facet('pattern', '\\d+'), '12', 'A1'],
    ['string', facet('pattern', 'a|b'), 'b', 'ab'],
    ['int', facet('minInclusive', '5'), '5', '4'],
    ['int', facet('minExclusive', '5'), '6', '5'],
    ['long', facet('maxInclusive', '9007199254740993'), '9007199254740993', '9007199254740994'],
    ['decimal', facet('maxExclusive', '10.00'), '9.999999999999999999', '10.0'],
    ['decimal', facet('maxInclusive', '0.1000000000000000001'), '0.1', '0.1000000000000000002'],
    ['integer', facet('maxInclusive', '9'.repeat(60)), '9'.repeat(60), `1${'0'.repeat(60)}`],
    ['duration', facet('minInclusive', 'P1M'), 'P32D', 'P27D'],
    ['duration', facet('maxExclusive', 'PT1H'), 'PT59M', 'PT60M'],
    ['gYear', facet('minInclusive', '2000'), '2001', '1999'],
    ['gMonthDay', facet('maxInclusive', '--02-29'), '--02-29', '--03-01'],
    ['decimal', facet('totalDigits', '3'), '0012.30', '12.34'],
    ['decimal', facet('fractionDigits', '2'), '1.2300', '1.234'],
    [
      'dateTime',
      facet('maxInclusive', '2026-01-01T00:00:00Z'),
      '2026-01-01T01:00:00+01:00',
      '2026-01-01T00:00:00-01:00',
    ],
    [
      'dateTime',
      facet('maxInclusive', '2026-01-01T00:00:00Z'),
      '2026-01-01T00:00:00.0000Z',
      '2026-01-01T00:00:00.0009Z',
    ],
    [
      'dateTime',
      facet('minExclusive', '2026-01-01T00:00:00.00012Z'),
      '2026-01-01T00:00:00.0009Z',
      '2026-01-01T00:00:00.00011999Z',
    ],
    ['dateTime', facet('maxInclusive', '2026-01-02T00:00:00Z'), '2026-01-01T09:00:00', '2026-01-01T11:00:00'],
    ['dateTime', facet('enumeration', '2026-01-01T00:00:00Z'), '2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00'],
    ['gYear', facet('enumeration', '2026Z'), '2026+00:00', '2026'],
    ['duration', facet('maxInclusive', 'P400000Y'), 'P300000Y', 'P4800001M'],
    ['hexBinary', facet('enumeration', '0a'), '0A', '0B'],
    ['base64Binary', facet('enumeration', 'AAAA'), 'A A A A', 'AAAB'],
    ['base64Binary', facet('maxLength', '2'), 'AAA=', 'AAAA'],
    ['NMTOKENS', facet('minLength', '2'), 'a b', 'a'],
    ['string', facet('whiteSpace', 'collapse') + facet('maxLength', '1'), '  a ', ' a b'],
  ])('xs:%s with %s takes %j and refuses %j', (base, facets, good, bad) => {
    const schema = schemaFor('', restriction(base, facets))
    expect(String(findOutcome(schema, good))).not.toMatch(/^(is|has|does) /)
    expect(findOutcome(schema, bad)).toMatch(/^(is|has|does) /)
  })

  test('lists are compared by their values', () => {
    const list = '<x:simpleType><x:list itemType="x:int"/></x:simpleType>'
    const schema = schemaFor(
      '',
      `<x:simpleType><x:restriction>${list}${facet('enumeration', '1 2')}</x:restriction></x:simpleType>`,
    )
    expect(findOutcome(schema, '01 2')).toEqual([1, 2])
    expect(findOutcome(schema, '1 3')).toBe('is not one of the allowed values.')
  })

  test.each(['length', 'minLength', 'maxLength'])('%s does not limit a name', (name) => {
    expect(findOutcome(schemaFor('', restriction('QName', facet(name, '5'))), 'a')).toEqual({
      uri: 'urn:t',
      local: 'a',
    })
  })

  test('an answer is checked too', () => {
    const schema = schemaFor('', restriction('string', facet('maxLength', '2')))
    expect(() => write(schema, 'abc')).toThrow('v is longer than 2')
    expect(write(schema, 'ab')).toBe('ab')
  })

  test('a facet that does not go with its type is refused at start', () => {
    expect(() => schemaFor('', restriction('boolean', facet('maxLength', '2')))).toThrow('is not valid for boolean')
    expect(() => schemaFor('', restriction('int', facet('minInclusive', 'x')))).toThrow('"x" is not valid for int')
    expect(() => schemaFor('', restriction('string', facet('pattern', '[')))).toThrow(
      'soap-envelope: the pattern "[" is not valid',
    )
  })

  test('the value is never in the message', () => {
    const schema = schemaFor('', restriction('string', facet('maxLength', '2')))
    expect(findOutcome(schema, 'secret-value')).toBe('is longer than 2.')
  })
})

describe('patterns (XSD part 2, F)', () => {
  test.each([
    ['a.c', 'abc', 'xabcx'],
    ['\\i\\c*', 'größe-1', '1a'],
    ['[\\i-[:]][\\c-[:]]*', 'a1', 'a:b'],
    ['[a-z-[aeiou]]+', 'xyz', 'xay'],
    ['[^a-c-[x]]', 'd', 'x'],
    ['^a$', '^a$', 'a'],
    ['\\d{3}', '٣٣٣', '12'],
    ['\\p{Lu}\\P{Lu}', 'Aa', 'AA'],
    ['[&amp;!#/(){}|.*+?]+', '(a)'.replace('a', '&amp;'), 'a'],
    ['[A-Z0-9\\-]{3,32}', 'AB-1', 'ab-1'],
    ['a/b', 'a/b', 'a'],
    ['\\D\\w\\s', 'xA ', '1A '],
  ])('%s takes %j and refuses %j', (pattern, good, bad) => {
    const schema = schemaFor('', restriction('string', `<x:pattern value="${pattern}"/>`))
    expect(findOutcome(schema, good)).toBe(good.replace('&amp;', '&'))
    expect(findOutcome(schema, bad)).toBe('does not match the pattern.')
  })
})

test.each([
  ['integer', '\\d{5}', '01234'],
  ['int', '\\d{5}', '01234'],
  ['boolean', '0|1', '1'],
])('xs:%s with the pattern %s is written as %j from that text', (base, pattern, text) => {
  const schema = schemaFor('', restriction(base, `<x:pattern value="${pattern}"/>`))
  expect(write(schema, text)).toBe(text)
  expect(() => write(schema, `x${text}`)).toThrow(TypeError)
  expect(() => write(schema, read(schema, text))).toThrow('does not match the pattern')
})

describe('lists and unions (XSD part 2, 2.5)', () => {
  test('a list has values of its type', () => {
    const schema = schemaFor('', '<x:simpleType><x:list itemType="x:int"/></x:simpleType>')
    expect(read(schema, ' 1  2 ')).toEqual([1, 2])
    expect(read(schema, '')).toEqual([])
    expect(findOutcome(schema, '1 x')).toBe('is not an int.')
    expect(write(schema, [3, 4])).toBe('3 4')
  })

  test('a union takes the first type that fits', () => {
    const inner = restriction('string', '<x:enumeration value="none"/>')
    const schema = schemaFor(
      '',
      `<x:simpleType><x:union memberTypes="x:int x:boolean">${inner}</x:union></x:simpleType>`,
    )
    expect([read(schema, '1'), read(schema, 'true'), read(schema, 'none')]).toEqual([1, true, 'none'])
    expect(findOutcome(schema, 'other')).toBe('is not an union.')
    expect([write(schema, 1), write(schema, false), write(schema, 'none')]).toEqual(['1', 'false', 'none'])
    expect(() => write(schema, 'x')).toThrow(TypeError)
  })
})
