import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findOutcome, read, schemaFor, write } from '../testing/simple-values.ts'
import { DEFAULT_LIMITS } from '../xml/limits.ts'
import { treeReader } from '../xml/tree.ts'
import { builtInTypes } from './built-in.ts'
import { Invalid } from './simple-type.ts'

describe('xs:long (XSD part 2, 3.3.16)', () => {
  const long = schemaFor('x:long')
  test.each([
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['+7', 7n],
    ['007', 7n],
    ['-0', 0n],
    [' \t\n42 ', 42n],
    ['4<!-- -->2', 42n],
    ['<![CDATA[42]]>', 42n],
  ])('reads %j', (text, value) => {
    expect(read(long, text)).toBe(value)
  })

  test.each([
    '9223372036854775808',
    '-9223372036854775809',
    '',
    ' ',
    '1.0',
    '1.',
    '1e3',
    '0x10',
    '1_0',
    '1n',
    'NaN',
    'abc',
    '--1',
    '+ 1',
    '1 2',
    '٣',
    '１',
    '1\u00a0',
    '9'.repeat(1001),
    '0'.repeat(100_000),
  ])('refuses %.30j', (text) => {
    expect(findOutcome(long, text)).toBe('is not a long.')
  })

  test('is what the option says', () => {
    expect(read(schemaFor('x:long', '', { long: 'string' }), '+007')).toBe('7')
    const safe = schemaFor('x:long', '', { long: 'number-if-safe' })
    expect([read(safe, '7'), read(safe, '9007199254740993')]).toEqual([7, 9007199254740993n])
  })

  test('is written from bigint, digits and safe numbers, and from nothing else', () => {
    expect([write(long, -5n), write(long, '007'), write(long, 7)]).toEqual(['-5', '7', '7'])
    for (const value of [1.5, 2 ** 53, Number.NaN, '1.0', 2n ** 63n, true, {}, [1n], undefined])
      expect(() => write(long, value)).toThrow(new TypeError('soap-envelope: v is not a long'))
  })
})

test.each([
  ['int', '2147483647', '2147483648'],
  ['int', '-2147483648', '-2147483649'],
  ['short', '-32768', '32768'],
  ['byte', '127', '-129'],
  ['unsignedByte', '255', '256'],
  ['unsignedByte', '0', '-1'],
  ['unsignedShort', '65535', '65536'],
  ['unsignedInt', '4294967295', '4294967296'],
])('xs:%s reads %s as a number and refuses %s', (type, good, bad) => {
  const schema = schemaFor(`x:${type}`)
  expect(read(schema, good)).toBe(Number(good))
  expect(findOutcome(schema, bad)).toMatch(/^is not an? /)
  expect(write(schema, Number(good))).toBe(good)
  expect(() => write(schema, Number(bad))).toThrow(TypeError)
})

test.each([
  ['integer', '123456789012345678901234567890', ''],
  ['nonNegativeInteger', '0', '-1'],
  ['positiveInteger', '1', '0'],
  ['nonPositiveInteger', '0', '1'],
  ['negativeInteger', '-1', '0'],
  ['unsignedLong', '18446744073709551615', '18446744073709551616'],
])('xs:%s reads %s as a bigint and refuses %j', (type, good, bad) => {
  expect(read(schemaFor(`x:${type}`), good)).toBe(BigInt(good))
  expect(findOutcome(schemaFor(`x:${type}`), bad)).toMatch(/^is not a/)
})

describe('other types keep what was sent', () => {
  test.each<[string, string, unknown]>([
    ['decimal', '0.10', '0.10'],
    ['decimal', '+1.', '+1.'],
    ['decimal', ' -.5 ', '-.5'],
    ['decimal', '12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['decimal', '1e3', 'is not a decimal.'],
    ['decimal', '.', 'is not a decimal.'],
    ['decimal', 'INF', 'is not a decimal.'],
    ['decimal', '1,5', 'is not a decimal.'],
    ['decimal', '9'.repeat(1001), 'is not a decimal.'],
    ['boolean', 'true', true],
    ['boolean', '0', false],
    ['boolean', ' 1 ', true],
    ['boolean', 'TRUE', 'is not a boolean.'],
    ['boolean', '', 'is not a boolean.'],
    ['double', 'INF', Number.POSITIVE_INFINITY],
    ['double', '-INF', Number.NEGATIVE_INFINITY],
    ['double', 'NaN', Number.NaN],
    ['double', '-1.5E-3', -0.0015],
    ['double', 'Infinity', 'is not a double.'],
    ['double', '0x10', 'is not a double.'],
    ['double', '', 'is not a double.'],
    ['dateTime', '2026-11-21T07:30:00.123456Z', '2026-11-21T07:30:00.123456Z'],
    ['dateTime', '2026-11-21T24:00:00', '2026-11-21T24:00:00'],
    ['dateTime', '12026-02-28T00:00:00+14:00', '12026-02-28T00:00:00+14:00'],
    ['dateTime', '-0001-01-01T00:00:00Z', '-0001-01-01T00:00:00Z'],
    ['dateTime', '2026-02-29T00:00:00Z', 'is not a dateTime.'],
    ['dateTime', '2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['dateTime', '0000-01-01T00:00:00Z', 'is not a dateTime.'],
    ['dateTime', '2026-11-21T24:00:01Z', 'is not a dateTime.'],
    ['dateTime', '2026-11-21T07:30:00+14:01', 'is not a dateTime.'],
    ['dateTime', '2026-11-21 07:30:00Z', 'is not a dateTime.'],
    ['dateTime', '2026-11-21T07:30Z', 'is not a dateTime.'],
    ['dateTime', '02026-11-21T07:30:00Z', 'is not a dateTime.'],
    ['dateTime', `2026-11-21T07:30:00.${'1'.repeat(5000)}Z`, 'is not a dateTime.'],
    ['date', '2026-11-21', '2026-11-21'],
    ['date', '2026-13-01', 'is not a date.'],
    ['time', '07:30:00.5+01:00', '07:30:00.5+01:00'],
    ['time', '25:00:00', 'is not a time.'],
    ['duration', 'P1Y2M3DT4H5M6.7S', 'P1Y2M3DT4H5M6.7S'],
    ['duration', 'P', 'is not a duration.'],
    ['duration', 'P1YT', 'is not a duration.'],
    ['gYear', '2026', '2026'],
    ['gYear', '0000', 'is not a gYear.'],
    ['gYear', '-0001Z', '-0001Z'],
    ['gYearMonth', '0000-01', 'is not a gYearMonth.'],
    ['gMonth', '--12+01:00', '--12+01:00'],
    ['gDay', '---31', '---31'],
    ['gMonthDay', '--12-31', '--12-31'],
    ['gMonthDay', '--02-29', '--02-29'],
    ['gMonthDay', '--02-30', 'is not a gMonthDay.'],
    ['gMonthDay', '--04-31Z', 'is not a gMonthDay.'],
    ['hexBinary', '0aFF', new Uint8Array([10, 255])],
    ['hexBinary', '0', 'is not a hexBinary.'],
    ['hexBinary', '0g', 'is not a hexBinary.'],
    ['base64Binary', ' AA ==\n', new Uint8Array([0])],
    ['base64Binary', '', new Uint8Array(0)],
    ['base64Binary', 'AA=', 'is not a base64Binary.'],
    ['base64Binary', 'A===', 'is not a base64Binary.'],
    ['base64Binary', 'AB==', 'is not a base64Binary.'],
    ['base64Binary', 'AAB=', 'is not a base64Binary.'],
    ['base64Binary', '/w==', new Uint8Array([255])],
    ['base64Binary', '//8=', new Uint8Array([255, 255])],
    ['base64Binary', 'AA=A', 'is not a base64Binary.'],
    ['base64Binary', 'AAA-', 'is not a base64Binary.'],
    ['string', ' \t\n&#13; a\u0085\u2028😀 ', ' \t\n\r a\u0085\u2028😀 '],
    ['normalizedString', ' a\n\tb ', ' a  b '],
    ['token', ' a \n b ', 'a b'],
    ['anyURI', ' urn:x ', 'urn:x'],
    ['language', 'de-AT', 'de-AT'],
    ['language', 'de_AT', 'is not a language.'],
    ['NCName', 'größe', 'größe'],
    ['NCName', 'a:b', 'is not a NCName.'],
    ['NMTOKENS', ' a  b:1 ', ['a', 'b:1']],
    ['NMTOKENS', 'a ,', 'is not a NMTOKEN.'],
    ['NMTOKENS', ' ', 'is not a list of NMTOKEN.'],
    ['IDREFS', '', 'is not a list of IDREF.'],
    ['ENTITIES', '', 'is not a list of NCName.'],
  ])('xs:%s %.40j', (type, text, value) => {
    expect(findOutcome(schemaFor(`x:${type}`), text)).toEqual(value)
  })

  test.each([
    ['base64Binary', 'AAAA', 3],
    ['hexBinary', 'ffff', 2],
  ])('%s may be larger than the stack of a regular expression', (name, text, bytes) => {
    const type = builtInTypes('bigint').get(name)
    expect(type?.parse(text.repeat(2_000_000))).toHaveLength(bytes * 2_000_000)
    expect(type?.parse(`${text.repeat(2_000_000)}f`)).toBeInstanceOf(Invalid)
  })

  test('large binary values and long texts of white space take time that grows with their size', () => {
    const start = process.cpuUsage()
    expect(read(schemaFor('x:base64Binary'), 'AAAA'.repeat(60_000))).toHaveLength(180_000)
    expect(findOutcome(schemaFor('x:int'), ' '.repeat(250_000))).toBe('is not an int.')
    expect(read(schemaFor('x:token'), ' '.repeat(250_000))).toBe('')
    expect(findOutcome(schemaFor('x:NMTOKENS'), 'a'.repeat(250_000))).toHaveLength(1)
    expect(process.cpuUsage(start).user).toBeLessThan(1_000_000)
  })
})

describe('values that cannot be written', () => {
  test.each<[string, unknown]>([
    ['string', 5],
    ['string', null],
    ['boolean', 'true'],
    ['double', '1'],
    ['decimal', 1e21],
    ['decimal', 'x'],
    ['dateTime', new Date(Number.NaN)],
    ['dateTime', new Date(Date.UTC(10_000, 0))],
    ['date', new Date(Date.UTC(-1, 0))],
    ['dateTime', 5],
    ['base64Binary', 'AAAA'],
    ['NMTOKENS', 'a b'],
    ['NMTOKENS', ['a b']],
    ['NMTOKENS', []],
    ['date', '2026-02-30'],
  ])('xs:%s %j', (type, value) => {
    expect(() => write(schemaFor(`x:${type}`), value)).toThrow(TypeError)
  })

  test('a Date is written in UTC with milliseconds', () => {
    expect(write(schemaFor('x:dateTime'), new Date(0))).toBe('1970-01-01T00:00:00.000Z')
    expect(write(schemaFor('x:date'), new Date(0))).toBe('1970-01-01')
    expect(() => write(schemaFor('x:time'), new Date(0))).toThrow(TypeError)
  })
})

test('an item of a list may have any space but that between items', () => {
  const list = schemaFor('', '<x:simpleType><x:list itemType="x:string"/></x:simpleType>')
  expect(read(list, write(list, ['a\u00a0b', 'c']))).toEqual(['a\u00a0b', 'c'])
  for (const item of ['a b', 'a\tb', 'a\nb', 'a\rb']) expect(() => write(list, [item])).toThrow(TypeError)
})

describe('every value that is written is read back equal', () => {
  const kinds: [string, fc.Arbitrary<unknown>][] = [
    ['long', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })],
    ['integer', fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n })],
    ['int', fc.integer()],
    ['boolean', fc.boolean()],
    ['double', fc.double().map((value) => (Object.is(value, -0) ? 0 : value))],
    ['decimal', fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat()).map(([a, b]) => `${a}.${b}`)],
    ['base64Binary', fc.uint8Array()],
    ['hexBinary', fc.uint8Array()],
    [
      'dateTime',
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(253402300799999) }).map((d) => d.toISOString()),
    ],
    [
      'string',
      fc
        .string({ unit: 'binary' })
        .map((text) => text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')),
    ],
  ]
  test.each(kinds)('xs:%s', (type, values) => {
    const schema = schemaFor(`x:${type}`)
    fc.assert(
      fc.property(values, (value) => {
        const xml = schema.encode({ uri: 'urn:t', local: 'v' }, value)
        const reader = treeReader({ limits: DEFAULT_LIMITS })
        reader.write(xml)
        expect(schema.decode(reader.end())).toEqual(value)
      }),
      { numRuns: 300 },
    )
  })
})

test.each(['nonsense', 'constructor'])('rejects xs:%s at start', (type) => {
  expect(() => schemaFor(`x:${type}`)).toThrow('the schema has no type')
})

test('digits are read as the lexical forms of XSD say (XSD part 2, 3.2.3 and 3.3.13)', () => {
  const [decimal, int, long] = [schemaFor('x:decimal'), schemaFor('x:int'), schemaFor('x:long')]
  const text = fc
    .array(fc.constantFrom('+', '-', '.', '0', '1', '9', '12', '000000000000', 'e', '٣'), { maxLength: 6 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (digits) => {
      const isDecimal = /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(digits)
      expect(findOutcome(decimal, digits)).toEqual(isDecimal ? digits : 'is not a decimal.')
      const value = /^[+-]?\d+$/.test(digits) ? BigInt(digits.replace('+', '')) : undefined
      const isLong = value !== undefined && BigInt.asIntN(64, value) === value
      expect(findOutcome(long, digits)).toEqual(isLong ? value : 'is not a long.')
      const isInt = value !== undefined && BigInt.asIntN(32, value) === value
      expect(findOutcome(int, digits)).toEqual(isInt ? Number(value) : 'is not an int.')
    }),
    { numRuns: 2000 },
  )
})
