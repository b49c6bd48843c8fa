import { encodeReserved, encodeUnreserved } from './percent.ts'
import { type Expression, OPERATORS, type Operator, type VariableSpec } from './uri-template-parse.ts'

/** The value of a variable. `undefined`, `null` and empty lists count as absent (RFC 6570 §2.3). */
export type TemplateValue = TemplateScalar | readonly TemplateScalar[] | { readonly [key: string]: TemplateScalar }
export type TemplateScalar = string | number | bigint | boolean | null | undefined
/** Values by variable name. An absent or `undefined` one expands to nothing. */
export type TemplateVariables = { readonly [name: string]: TemplateValue }

/** Returns a value by the name of its variable. */
export type ReadValue<T> = (variables: T, name: string) => TemplateValue

/** Expands an expression (RFC 6570 §3.2.1). */
export function expandExpression(expression: Expression, variables: TemplateVariables): string {
  return expandVariables(expression, variables, readOwn, false) ?? ''
}

/**
 * Expands the variables of an expression. Returns `undefined` if all are absent, or any of those
 * that are required.
 */
export function expandVariables<T>(
  { operator, specs }: Expression,
  variables: T,
  read: ReadValue<T>,
  isRequired: boolean,
): string | undefined {
  const { first, separator } = OPERATORS[operator]
  let text: string | undefined
  for (const spec of specs) {
    const expanded = expandVariable(spec, read(variables, spec.name), operator)
    if (expanded !== undefined) text = (text === undefined ? first : text + separator) + expanded
    else if (isRequired) return undefined
  }
  return text
}

function readOwn(variables: TemplateVariables, name: string): TemplateValue {
  return Object.hasOwn(variables, name) ? variables[name] : undefined
}

function expandVariable(spec: VariableSpec, value: TemplateValue, operator: Operator): string | undefined {
  const { named, ifEmpty, reserved, separator } = OPERATORS[operator]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object') {
    const text = spec.prefix === 0 ? String(value) : takeCharacters(String(value), spec.prefix)
    return named ? formatPair(spec.name, encode(text, reserved), ifEmpty) : encode(text, reserved)
  }
  if (spec.prefix > 0)
    throw new TypeError(`hal: the value of {${spec.name}:${spec.prefix}} must not be a list or a map`)

  const name = named ? spec.name : undefined
  const members = isList(value) ? listMembers(value, spec, name, operator) : mapMembers(value, spec, operator)
  if (members.length === 0) return undefined
  if (spec.explode) return members.join(separator)
  return name === undefined ? members.join(',') : formatPair(name, members.join(','), ifEmpty)
}

function listMembers(
  list: readonly TemplateScalar[],
  { explode }: VariableSpec,
  name: string | undefined,
  operator: Operator,
): string[] {
  const { reserved, ifEmpty } = OPERATORS[operator]
  const members: string[] = []
  for (const item of list) {
    if (item === undefined || item === null) continue
    const text = encode(String(item), reserved)
    members.push(explode && name !== undefined ? formatPair(name, text, ifEmpty) : text)
  }
  return members
}

function mapMembers(
  map: { readonly [key: string]: TemplateScalar },
  { explode }: VariableSpec,
  operator: Operator,
): string[] {
  const { reserved, named, ifEmpty } = OPERATORS[operator]
  const members: string[] = []
  for (const [key, item] of Object.entries(map)) {
    if (item === undefined || item === null) continue
    const name = encode(key, reserved)
    const text = encode(String(item), reserved)
    if (!explode) members.push(name, text)
    else members.push(named ? formatPair(name, text, ifEmpty) : `${name}=${text}`)
  }
  return members
}

function formatPair(name: string, value: string, ifEmpty: string): string {
  return value === '' ? name + ifEmpty : `${name}=${value}`
}

function isList(value: object): value is readonly TemplateScalar[] {
  return Array.isArray(value)
}

/** Counts code points, not UTF-16 units, as the prefix modifier requires (RFC 6570 §2.4.1). */
function takeCharacters(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let taken = 0; taken < count && end < text.length; taken++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

function encode(text: string, reserved: boolean): string {
  return reserved ? encodeReserved(text) : encodeUnreserved(text)
}
