import { type Invalid, notA, type SimpleType, simpleType } from './simple-type.ts'

/** Type of 64-bit and unbounded integers in JavaScript. */
export type LongAs = 'bigint' | 'string' | 'number-if-safe'

type Bound = bigint | number

// Integers that fit into a double are numbers, the others are what the option `long` says.
const NARROW: readonly (readonly [string, string, number, number])[] = [
  ['int', 'long', -2147483648, 2147483647],
  ['short', 'int', -32768, 32767],
  ['byte', 'short', -128, 127],
  ['unsignedInt', 'unsignedLong', 0, 4294967295],
  ['unsignedShort', 'unsignedInt', 0, 65535],
  ['unsignedByte', 'unsignedShort', 0, 255],
]
const WIDE: readonly (readonly [string, string, Bound, Bound])[] = [
  ['integer', 'decimal', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  ['long', 'integer', -9223372036854775808n, 9223372036854775807n],
  ['nonPositiveInteger', 'integer', Number.NEGATIVE_INFINITY, 0n],
  ['negativeInteger', 'nonPositiveInteger', Number.NEGATIVE_INFINITY, -1n],
  ['nonNegativeInteger', 'integer', 0n, Number.POSITIVE_INFINITY],
  ['positiveInteger', 'nonNegativeInteger', 1n, Number.POSITIVE_INFINITY],
  ['unsignedLong', 'nonNegativeInteger', 0n, 18446744073709551615n],
]

/** Digits of a number at most: BigInt() takes time that grows faster than their number. */
export const MAX_DIGITS = 1000

/** The integer types of XSD, each after the one it restricts. */
export function integerTypes(long: LongAs, decimal: SimpleType): SimpleType[] {
  const types = new Map<string, SimpleType>([['decimal', decimal]])
  const compare = (a: unknown, b: unknown): number => {
    const [one, other] = [BigInt(a as bigint), BigInt(b as bigint)]
    return one < other ? -1 : one > other ? 1 : 0
  }
  for (const [name, base, min, max] of WIDE)
    types.set(name, { ...wideType(name, min, max, long), base: types.get(base), compare })
  for (const [name, base, min, max] of NARROW)
    types.set(name, { ...narrowType(name, min, max), base: types.get(base), compare })
  types.delete('decimal')
  return [...types.values()]
}

const EXACT_DIGITS = 15

/** Reads an integer of few digits, which a double holds exactly; `NaN` for another text. */
function readShort(text: string): number {
  const sign = text.charCodeAt(0)
  const start = sign === 0x2d || sign === 0x2b ? 1 : 0
  if (text.length === start || text.length > EXACT_DIGITS) return Number.NaN
  let value = 0
  for (let index = start; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 0x30
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return sign === 0x2d ? 0 - value : value // not -0
}

function isInteger(text: string): boolean {
  return text.length <= MAX_DIGITS && /^[+-]?\d+$/.test(text)
}

function narrowType(name: string, min: number, max: number): SimpleType {
  const wrong = notA(name)
  const fits = (value: number): boolean => Number.isInteger(value) && value >= min && value <= max
  // Zeros may stand in front.
  const readLong = (text: string): number | Invalid => {
    const value = isInteger(text) ? Number(text) : Number.NaN
    return fits(value) ? value + 0 : wrong // -0 becomes 0
  }
  return simpleType({
    name,
    typescript: 'number',
    plain: true,
    rejectsSpace: true,
    parse: (text) => {
      if (text.length > EXACT_DIGITS) return readLong(text)
      const value = readShort(text)
      return value >= min && value <= max ? value : wrong
    },
    format: (value) => (typeof value === 'number' && fits(value) ? String(value) : wrong),
  })
}

function wideType(name: string, min: Bound, max: Bound, long: LongAs): SimpleType {
  const wrong = notA(name)
  const read = (text: string): bigint | Invalid => {
    const short = readShort(text)
    if (Number.isNaN(short) && !isInteger(text)) return wrong
    const value = BigInt(Number.isNaN(short) ? text.replace('+', '') : short)
    return value >= min && value <= max ? value : wrong
  }
  return simpleType({
    name,
    typescript: TYPESCRIPT[long],
    plain: true,
    rejectsSpace: true,
    parse: long === 'bigint' ? read : (text) => convert(read(text), long),
    format: (value) => {
      if (typeof value === 'bigint') return value >= min && value <= max ? String(value) : wrong
      if (typeof value === 'number' && !Number.isSafeInteger(value)) return wrong
      const parsed = typeof value === 'string' || typeof value === 'number' ? read(String(value)) : wrong
      return typeof parsed === 'bigint' ? String(parsed) : wrong
    },
  })
}

const TYPESCRIPT: Record<LongAs, string> = { bigint: 'bigint', string: 'string', 'number-if-safe': 'number | bigint' }

export const LONG_WORDS: readonly LongAs[] = ['bigint', 'string', 'number-if-safe']

function convert(value: bigint | Invalid, long: LongAs): bigint | string | number | Invalid {
  if (typeof value !== 'bigint') return value
  if (long === 'string') return String(value)
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
