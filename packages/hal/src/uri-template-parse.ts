import { encodeReserved } from './percent.ts'

/** A percent-encoded literal or an expression. */
export type TemplatePart = string | Expression

export interface Expression {
  operator: Operator
  specs: readonly VariableSpec[]
}

export interface VariableSpec {
  name: string
  explode: boolean
  /** Maximum number of characters; 0 for all. */
  prefix: number
}

export type Operator = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&'

interface OperatorRules {
  first: string
  separator: string
  named: boolean
  /** The text after the name of a variable with an empty value. */
  ifEmpty: string
  /** Whether reserved characters are not encoded. */
  reserved: boolean
}

/** The operators of RFC 6570 appendix A. */
export const OPERATORS: Record<Operator, OperatorRules> = {
  '': { first: '', separator: ',', named: false, ifEmpty: '', reserved: false },
  '+': { first: '', separator: ',', named: false, ifEmpty: '', reserved: true },
  '#': { first: '#', separator: ',', named: false, ifEmpty: '', reserved: true },
  '.': { first: '.', separator: '.', named: false, ifEmpty: '', reserved: false },
  '/': { first: '/', separator: '/', named: false, ifEmpty: '', reserved: false },
  ';': { first: ';', separator: ';', named: true, ifEmpty: '', reserved: false },
  '?': { first: '?', separator: '&', named: true, ifEmpty: '=', reserved: false },
  '&': { first: '&', separator: '&', named: true, ifEmpty: '=', reserved: false },
}

const MAX_LENGTH = 8192
const NAME = /^(?:\w|%[\dA-Fa-f]{2})+(?:\.(?:\w|%[\dA-Fa-f]{2})+)*$/
const PREFIX = /^[1-9]\d{0,3}$/
// Characters that RFC 6570 §2.1 excludes from literals; erratum 6937 allows the single quote.
const NOT_LITERAL = /[\p{Cc} "<>\\^`|}]/u

/**
 * Parses a template into its parts (RFC 6570 §2). Throws a `TypeError` that shows the template and
 * the error.
 */
export function parseTemplate(template: string): TemplatePart[] {
  if (template.length > MAX_LENGTH)
    throw new TypeError(`hal: a URI template must have at most ${MAX_LENGTH} characters, got ${template.length}`)
  const parts: TemplatePart[] = []
  let offset = 0
  while (offset < template.length) {
    const open = template.indexOf('{', offset)
    const end = open === -1 ? template.length : open
    if (end > offset) parts.push(parseLiteral(template.slice(offset, end), template))
    if (open === -1) break
    const close = template.indexOf('}', open)
    if (close === -1) throw createTemplateError(template, 'an expression is not closed')
    parts.push(parseExpression(template.slice(open + 1, close), template))
    offset = close + 1
  }
  return parts
}

function parseLiteral(text: string, template: string): string {
  if (NOT_LITERAL.test(text)) throw createTemplateError(template, `${JSON.stringify(text)} is not a literal`)
  return encodeReserved(text)
}

function parseExpression(expression: string, template: string): TemplatePart {
  const first = expression.charAt(0)
  const operator = isOperator(first) ? first : ''
  const specs = expression
    .slice(operator.length)
    .split(',')
    .map((text) => parseVariable(text, template))
  return { operator, specs }
}

function parseVariable(text: string, template: string): VariableSpec {
  const explode = text.endsWith('*')
  const [name = '', prefix, ...more] = (explode ? text.slice(0, -1) : text).split(':')
  const wrongPrefix = prefix !== undefined && (explode || !PREFIX.test(prefix))
  if (more.length > 0 || wrongPrefix || !NAME.test(name))
    throw createTemplateError(template, `"${text}" is not a variable`)
  return { name, explode, prefix: Number(prefix ?? 0) }
}

function isOperator(text: string): text is Operator {
  return Object.hasOwn(OPERATORS, text)
}

function createTemplateError(template: string, reason: string): TypeError {
  return new TypeError(`hal: ${JSON.stringify(template.slice(0, 200))} is not a URI template: ${reason}`)
}
