import { compilePattern } from '../pattern/match-pattern.ts'
import { getAttribute, type XmlElement } from '../xml/element.ts'
import { XSD } from '../xml/names.ts'
import { countDigits } from './decimal.ts'
import { Invalid, readSimple, type SimpleType } from './simple-type.ts'

/** A check of a facet: what is wrong with a value, if anything is. */
type Facet = (value: unknown, text: string) => Invalid | undefined

/**
 * A type restricted by the facets under an `xs:restriction`. A value is checked when it is read and
 * when it is written. Throws a TypeError on a facet that is not valid for the type.
 */
export function restrict(name: string, base: SimpleType, restriction: XmlElement): SimpleType {
  const rules = restriction.children.filter(({ uri }) => uri === XSD)
  const facets = [...compileLengths(rules, base), ...compileEnumeration(rules, base), ...compilePatterns(rules)]
  let whiteSpace = base.whiteSpace
  for (const rule of rules) {
    const value = getAttribute(rule, '', 'value') ?? ''
    if (rule.local === 'whiteSpace') whiteSpace = readWhiteSpace(value, base)
    const facet = compileBound(rule.local, value, base) ?? compileDigits(rule.local, value)
    if (facet) facets.unshift(facet) // before the patterns: what is too long is not matched
  }
  const before = { ...base, whiteSpace }
  const isQName = isName(base)
  const check = (value: unknown, text: string): unknown => {
    if (value instanceof Invalid) return value
    for (const facet of facets) {
      const wrong = facet(value, text)
      if (wrong) return wrong
    }
    return value
  }
  const parse: SimpleType['parse'] = (text, node) => check(base.parse(text, node), text)
  const hasPattern = !isQName && rules.some(({ local }) => local === 'pattern')
  return {
    ...base, // `lengthOf` and `compare` among them
    name,
    base,
    members: undefined,
    whiteSpace,
    typescript: formatTypescript(rules, base),
    parse,
    format: (value, scope) => {
      const text = base.format(value, scope)
      if (facets.length === 0) return text
      const checked = text instanceof Invalid ? text : check(isQName ? value : readSimple(before, text), text)
      if (!(checked instanceof Invalid)) return text
      // A pattern may need a text that no value is written as, such as 01234 for an integer.
      return hasPattern && typeof value === 'string' && !(parse(value) instanceof Invalid) ? value : checked
    },
  }
}

/** Two names are equal if their namespaces and local names are, whatever their prefixes. */
function isName(base: SimpleType): boolean {
  for (let ancestor: SimpleType | undefined = base; ancestor; ancestor = ancestor.base)
    if (ancestor.name === 'QName' || ancestor.name === 'NOTATION') return true
  return false
}

/** A restriction may handle more white space than its base, not less (XSD part 2, 4.3.6.1). */
function readWhiteSpace(value: string, base: SimpleType): SimpleType['whiteSpace'] {
  const order = ['preserve', 'replace', 'collapse'] as const
  const wanted = order.findIndex((word) => word === value)
  if (wanted < order.indexOf(base.whiteSpace))
    throw new TypeError(`soap-envelope: whiteSpace "${value}" is not valid for ${base.name}`)
  return order[wanted] ?? base.whiteSpace
}

function readValues(rules: readonly XmlElement[], facet: string): string[] {
  return rules.filter(({ local }) => local === facet).map((rule) => getAttribute(rule, '', 'value') ?? '')
}

function formatTypescript(rules: readonly XmlElement[], base: SimpleType): string {
  const values = readValues(rules, 'enumeration')
  if (values.length === 0 || base.typescript !== 'string') return base.typescript
  return values.map(formatLiteral).join(' | ')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** Writes a text as a string literal of TypeScript. */
export function formatLiteral(text: string): string {
  return `'${text.replace(/[\\'\n\r\u2028\u2029]/g, (char) => ESCAPES[char] ?? `\\${char}`)}'`
}

function compileEnumeration(rules: readonly XmlElement[], base: SimpleType): Facet[] {
  const values = readValues(rules, 'enumeration')
  if (values.length === 0) return []
  const wrong = new Invalid('is not one of the allowed values')
  const allowed = rules
    .filter(({ local }) => local === 'enumeration')
    .map((rule) => readSimple(base, getAttribute(rule, '', 'value') ?? '', rule))
  const wrongValue = values.find((_, index) => allowed[index] instanceof Invalid)
  if (wrongValue !== undefined)
    throw new TypeError(`soap-envelope: the enumeration "${wrongValue}" is not a value of ${base.name}`)
  const { compare } = base
  const texts = new Set(values)
  // Values without an order are compared as they would be written.
  const written = new Set(compare ? [] : allowed.map((value) => base.format(value)))
  const isAllowed = (value: unknown): boolean =>
    compare ? allowed.some((candidate) => compare(candidate, value) === 0) : written.has(base.format(value))
  const byText = !isName(base)
  return [(value, text) => ((byText && texts.has(text)) || isAllowed(value) ? undefined : wrong)]
}

/** Patterns of one restriction are alternatives (XSD part 2, 4.3.4.3). */
function compilePatterns(rules: readonly XmlElement[]): Facet[] {
  const patterns = readValues(rules, 'pattern').map(compilePattern)
  if (patterns.length === 0) return []
  const wrong = new Invalid('does not match the pattern')
  return [(_, text) => (patterns.some((pattern) => pattern.test(text)) ? undefined : wrong)]
}

function compileBound(facet: string, text: string, base: SimpleType): Facet | undefined {
  const { compare } = base
  const bounds: Record<string, (order: number) => boolean> = {
    minInclusive: (order) => order >= 0,
    minExclusive: (order) => order > 0,
    maxInclusive: (order) => order <= 0,
    maxExclusive: (order) => order < 0,
  }
  const fits = bounds[facet]
  if (!fits) return undefined
  const limit = readSimple(base, text)
  if (!compare || limit instanceof Invalid)
    throw new TypeError(`soap-envelope: ${facet} "${text}" is not valid for ${base.name}`)
  const wrong = new Invalid(`is ${facet.startsWith('min') ? 'below' : 'above'} the allowed range`)
  return (value) => (fits(compare(value, limit)) ? undefined : wrong)
}

/** One check of the length for all facets of it: to count the characters is most of its work. */
function compileLengths(rules: readonly XmlElement[], base: SimpleType): Facet[] {
  if (isName(base)) return [] // every name has the length that is asked for (XSD part 2, 4.3.1.3)
  let min = 0
  let max = Number.POSITIVE_INFINITY
  let exact: number | undefined
  const lengths = rules.filter(({ local }) => /^(length|minLength|maxLength)$/.test(local))
  const measure = base.lengthOf
  for (const rule of lengths) {
    const text = getAttribute(rule, '', 'value') ?? ''
    const limit = Number(text)
    if (!measure || text.trim() === '' || !Number.isInteger(limit) || limit < 0)
      throw new TypeError(`soap-envelope: ${rule.local} "${text}" is not valid for ${base.name}`)
    if (rule.local === 'length') exact = limit
    else if (rule.local === 'minLength') min = Math.max(min, limit)
    else max = Math.min(max, limit)
  }
  if (!measure || lengths.length === 0) return []
  const wrong = new Invalid(`does not have the length ${exact}`)
  const tooShort = new Invalid(`is shorter than ${min}`)
  const tooLong = new Invalid(`is longer than ${max}`)
  return [
    (value) => {
      const length = measure(value)
      if (exact !== undefined && length !== exact) return wrong
      if (length < min) return tooShort
      return length > max ? tooLong : undefined
    },
  ]
}

function compileDigits(facet: string, text: string): Facet | undefined {
  if (facet !== 'totalDigits' && facet !== 'fractionDigits') return undefined
  const limit = Number(text)
  if (text.trim() === '' || !Number.isInteger(limit) || limit < 0)
    throw new TypeError(`soap-envelope: ${facet} "${text}" is not a number of digits`)
  if (facet === 'totalDigits') {
    const wrong = new Invalid(`has more than ${limit} digits`)
    return (value) => (countDigits(String(value)).total > limit ? wrong : undefined)
  }
  const wrong = new Invalid(`has more than ${limit} digits after the decimal point`)
  return (value) => (countDigits(String(value)).fraction > limit ? wrong : undefined)
}
