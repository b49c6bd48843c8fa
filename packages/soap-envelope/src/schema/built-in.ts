import { resolveQName } from '../xml/element.ts'
import { isSameName, type QName } from '../xml/names.ts'
import {
  compareInstants,
  type Instant,
  isDate,
  isDateTime,
  isTime,
  parseDate,
  parseDateTime,
  parseTime,
} from './date-time.ts'
import { compareDecimals, isDecimal } from './decimal.ts'
import { compareDurations } from './duration.ts'
import { integerTypes, type LongAs, MAX_DIGITS } from './integer.ts'
import { type Invalid, notA, type SimpleType, simpleType } from './simple-type.ts'

/** The simple types of XSD by local name. */
export function builtInTypes(long: LongAs): Map<string, SimpleType> {
  const types = new Map<string, SimpleType>()
  const add = (type: SimpleType): SimpleType => {
    types.set(type.name, type)
    return type
  }
  const string = add(textType('string', 'preserve'))
  add({ ...textType('anySimpleType', 'preserve'), typescript: 'string | { $type: string; value: unknown }' })
  const normalised = add({ ...textType('normalizedString', 'replace'), base: string })
  const token = add({ ...textType('token', 'collapse'), base: normalised })
  const sub = (name: string, base: SimpleType, pattern: RegExp): SimpleType =>
    add({ ...textType(name, 'collapse', pattern), base })
  sub('language', token, /^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$/)
  const nmtoken = sub('NMTOKEN', token, /^[\p{L}\p{N}\p{M}._:·-]+$/u)
  const name = sub('Name', token, /^[\p{L}_:][\p{L}\p{N}\p{M}._:·-]*$/u)
  const ncname = sub('NCName', name, /^[\p{L}_][\p{L}\p{N}\p{M}._·-]*$/u)
  add({ ...ncname, name: 'ID', base: ncname, identity: 'ID' })
  const idref = add({ ...ncname, name: 'IDREF', base: ncname, identity: 'IDREF' })
  add({ ...ncname, name: 'ENTITY', base: ncname })
  for (const [alias, item] of [
    ['NMTOKENS', nmtoken],
    ['IDREFS', idref],
    ['ENTITIES', ncname],
  ] as const)
    add(listType(alias, item, 1))
  add(textType('anyURI', 'collapse'))

  add(decimalType)
  for (const type of integerTypes(long, decimalType)) add(type)
  add(booleanType)
  add(floatType('float'))
  add(floatType('double'))
  add(timeType('dateTime', isDateTime, parseDateTime, (date) => date.toISOString()))
  add(timeType('date', isDate, parseDate, (date) => date.toISOString().slice(0, 10)))
  add(timeType('time', isTime, parseTime))
  add({ ...textType('duration', 'collapse', DURATION), compare: (a, b) => compareDurations(String(a), String(b)) })
  for (const [kind, pattern] of CALENDAR) add(calendarType(kind, pattern))
  for (const kind of ['QName', 'NOTATION']) add(qnameType(kind))
  // A group that repeats would overflow the stack of the engine after some megabytes.
  add(binaryType('base64Binary', 'base64', 4, /^[A-Za-z0-9+/]*={0,2}$/))
  add(binaryType('hexBinary', 'hex', 2, /^[0-9A-Fa-f]*$/))
  return types
}

/** Reads values of the calendar as instants, of a year that has all days if they name none. */
export const CALENDAR_INSTANTS: ReadonlyMap<string, (text: string) => Instant | undefined> = new Map([
  ['gYear', (text) => parseDate(text.replace(/(Z|[+-]\d\d:\d\d)?$/, '-01-01$1'))],
  ['gYearMonth', (text) => parseDate(text.replace(/(Z|[+-]\d\d:\d\d)?$/, '-01$1'))],
  ['gMonth', (text) => parseDate(`2000-${text.slice(2, 4)}-01${text.slice(4)}`)],
  ['gMonthDay', (text) => parseDate(`2000-${text.slice(2)}`)],
  ['gDay', (text) => parseDate(`2000-01-${text.slice(3)}`)],
])

/** A type of the calendar. Its pattern also fits days and years that do not exist. */
function calendarType(name: string, pattern: RegExp): SimpleType {
  const wrong = notA(name)
  const read = CALENDAR_INSTANTS.get(name) ?? parseDate
  const parse = (text: string): string | Invalid => (pattern.test(text) && read(text) !== undefined ? text : wrong)
  return {
    ...textType(name, 'collapse'),
    parse,
    format: (value) => (typeof value === 'string' ? parse(value) : wrong),
    compare: orderBy(read),
  }
}

/** Orders texts by the instants that they are; an order that is not defined is NaN. */
function orderBy(read: (text: string) => Instant | undefined): (a: unknown, b: unknown) => number {
  return (a, b) => {
    const [instant, other] = [read(String(a)), read(String(b))]
    return instant && other ? compareInstants(instant, other) : Number.NaN
  }
}

const ZONE = '(Z|[+-](0\\d|1[0-3]):[0-5]\\d|[+-]14:00)?'
const DURATION = /^-?P(?=\d|T)(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/
const CALENDAR: readonly (readonly [string, RegExp])[] = [
  ['gYear', new RegExp(`^-?([1-9]\\d{4,}|\\d{4})${ZONE}$`)],
  ['gYearMonth', new RegExp(`^-?([1-9]\\d{4,}|\\d{4})-(0[1-9]|1[0-2])${ZONE}$`)],
  ['gMonth', new RegExp(`^--(0[1-9]|1[0-2])${ZONE}$`)],
  ['gMonthDay', new RegExp(`^--(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])${ZONE}$`)],
  ['gDay', new RegExp(`^---(0[1-9]|[12]\\d|3[01])${ZONE}$`)],
]

function textType(name: string, whiteSpace: SimpleType['whiteSpace'], pattern?: RegExp): SimpleType {
  const wrong = notA(name)
  const parse = (text: string): string | Invalid => (pattern === undefined || pattern.test(text) ? text : wrong)
  return simpleType({
    name,
    typescript: 'string',
    whiteSpace,
    parse,
    format: (value) => (typeof value === 'string' ? parse(value) : wrong),
    lengthOf: countCharacters,
  })
}

/** Characters of Unicode, which strings of JavaScript hold as one or two units. */
function countCharacters(value: unknown): number {
  const text = String(value)
  let count = text.length
  for (let index = 1; index < text.length; index++) {
    const isLow = (text.charCodeAt(index) & 0xfc00) === 0xdc00
    if (isLow && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) count--
  }
  return count
}

/**
 * A qualified name as `{ uri, local }`: its prefix means something in its own document only (XSD
 * part 2, 3.2.18).
 */
function qnameType(name: string): SimpleType {
  const wrong = notA(name)
  const isName = (text: string): boolean => /^[\p{L}_][\p{L}\p{N}\p{M}._·-]*$/u.test(text)
  return simpleType({
    name,
    typescript: '{ uri: string; local: string }',
    parse: (text, node) => {
      const resolved = node && resolveQName(node, text)
      return resolved && isName(resolved.local) ? resolved : wrong
    },
    format: (value, scope) => {
      const { uri, local } = (value ?? {}) as { uri?: unknown; local?: unknown }
      if (typeof uri !== 'string' || typeof local !== 'string' || !isName(local)) return wrong
      return uri === '' || !scope ? local : `${scope.prefixFor(uri)}:${local}`
    },
    compare: (a, b) => (isSameName(a as QName, b as QName) ? 0 : Number.NaN),
  })
}

/**
 * A list of values of a type, separated by white space (XSD part 2, 4.2.2.1).
 *
 * @param min - number of values at least
 */
export function listType(name: string, item: SimpleType, min = 0): SimpleType {
  const wrong = notA(`list of ${item.name}`)
  return simpleType({
    name,
    identity: item.identity,
    typescript: `readonly ${/[ |]/.test(item.typescript) ? `(${item.typescript})` : item.typescript}[]`,
    parse: (text, node) => {
      const values = text === '' ? [] : text.split(' ').map((part) => item.parse(part, node))
      if (values.length < min) return wrong
      return values.find((value) => isInvalid(value)) ?? values
    },
    format: (value, scope) => {
      if (!Array.isArray(value) || value.length < min) return wrong
      const texts = value.map((part) => item.format(part, scope))
      const bad = texts.find((text) => typeof text !== 'string' || text === '' || /[ \t\n\r]/.test(text))
      return bad === undefined ? texts.join(' ') : wrong
    },
    lengthOf: (value) => (Array.isArray(value) ? value.length : 0),
  })
}

function isInvalid(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'reason' in value
}

const wrongDecimal = notA('decimal')
const decimalType: SimpleType = simpleType({
  name: 'decimal',
  typescript: 'string',
  plain: true,
  rejectsSpace: true,
  parse: (text) => (text.length <= MAX_DIGITS && isDecimal(text) ? text : wrongDecimal),
  format: (value) => {
    const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
    return typeof text === 'string' && isDecimal(text) ? text : wrongDecimal
  },
  compare: (a, b) => compareDecimals(String(a), String(b)),
})

const wrongBoolean = notA('boolean')
const booleanType: SimpleType = simpleType({
  name: 'boolean',
  typescript: 'boolean',
  plain: true,
  rejectsSpace: true,
  parse: (text) => {
    if (text === 'true' || text === '1') return true
    return text === 'false' || text === '0' ? false : wrongBoolean
  },
  format: (value) => (typeof value === 'boolean' ? String(value) : wrongBoolean),
})

function floatType(name: string): SimpleType {
  const wrong = notA(name)
  return simpleType({
    plain: true,
    rejectsSpace: true,
    name,
    typescript: 'number',
    parse: (text) => {
      if (text === 'INF') return Number.POSITIVE_INFINITY
      if (text === '-INF') return Number.NEGATIVE_INFINITY
      if (text === 'NaN') return Number.NaN
      return text.length <= 64 && /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : wrong
    },
    format: (value) => {
      if (typeof value !== 'number') return wrong
      if (Number.isNaN(value)) return 'NaN'
      if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value)
      return value > 0 ? 'INF' : '-INF'
    },
    compare: (a, b) => Number(a) - Number(b),
  })
}

/**
 * Times stay the text that was sent: it may hold more digits than a Date, and no zone. A Date is
 * written in UTC.
 */
function timeType(
  name: string,
  is: (text: string) => boolean,
  read: (text: string) => Instant | undefined,
  write?: (date: Date) => string,
): SimpleType {
  const wrong = notA(name)
  return simpleType({
    plain: true,
    rejectsSpace: true,
    name,
    typescript: 'string',
    parse: (text) => (is(text) ? text : wrong),
    format: (value) => {
      const text = value instanceof Date && !Number.isNaN(value.getTime()) ? write?.(value) : value
      return typeof text === 'string' && is(text) ? text : wrong
    },
    compare: orderBy(read),
  })
}

/** Whether the bits that the last digit of a value in Base64 leaves are 0 (XSD part 2, 3.2.16). */
function hasZeroPadding(text: string): boolean {
  return !text.endsWith('=') || /[AQgw]==$|[AEIMQUYcgkosw048]=$/.test(text.slice(-3))
}

function binaryType(name: string, encoding: 'base64' | 'hex', digits: number, pattern: RegExp): SimpleType {
  const wrong = notA(name)
  return simpleType({
    plain: true,
    isBase64: encoding === 'base64',
    name,
    typescript: 'Uint8Array',
    parse: (text, node) => {
      if (node?.bytes !== undefined && text === '' && encoding === 'base64') return node.bytes
      const compact = text.includes(' ') ? text.replaceAll(' ', '') : text
      const isWhole = compact.length % digits === 0 && pattern.test(compact) && hasZeroPadding(compact)
      return isWhole ? new Uint8Array(Buffer.from(compact, encoding)) : wrong
    },
    format: (value) => (value instanceof Uint8Array ? Buffer.from(value).toString(encoding) : wrong),
    lengthOf: (value) => (value instanceof Uint8Array ? value.length : 0),
  })
}
