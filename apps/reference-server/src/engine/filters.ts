import { type Dialect, marks, quoted, type Stored } from '../database/connection.ts'
import type { ProblemKey } from '../messages/errors.ts'
import { type Message, message, type Params } from '../messages/messages.ts'
import { nearHint } from '../messages/near-name.ts'
import type { Collection } from './define.ts'
import type { Field } from './field.ts'
import { isStorable, longReference, reference } from './field-types.ts'
import { CURRENCIES } from './money.ts'
import { toProblems } from './validate.ts'

export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'contains' | 'startsWith'

/** Condition of a query. Items must meet all of them. */
export interface Condition {
  column: string
  operator: Operator
  /** One value; several for `in`. */
  values: readonly Stored[]
}

/** A condition that is declared in SQL. */
export interface RawCondition {
  sql: string
  values: readonly Stored[]
}

export type AnyCondition = Condition | RawCondition

const PARAMETER = /^([A-Za-z]\w*)(?:\[(\w+)\])?$/
const OPERATORS: readonly Operator[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'startsWith']
const FILTER_SUFFIXES = [...OPERATORS, 'exists']

/** Field and operator that a query parameter filters by. */
export interface Filter {
  column: string
  field: Field
  /** Text in brackets. */
  suffix: string | undefined
}

/** Notes that a parameter of the query is wrong. */
export type Reject = (parameter: string, key: ProblemKey, params?: Params, hint?: Message) => undefined

/** Finds the field and the operator of a query parameter: `salary[gte]`. */
export function findFilter(parameter: string, { fields, filters, longIds }: Collection): Filter | undefined {
  const [, column = '', suffix] = PARAMETER.exec(parameter) ?? []
  if (column === 'id') return { column, field: longIds ? LONG_ID : ID, suffix }
  const field = filters.includes(column) && Object.hasOwn(fields, column) ? fields[column] : undefined
  return field && { column, field, suffix }
}

const ID = reference()
const LONG_ID = longReference()

/** Parses the texts of a filter into a condition. Rejects what is wrong with them. */
export function parseFilter(
  parameter: string,
  { column, field, suffix }: Filter,
  texts: readonly string[],
  reject: Reject,
): AnyCondition | undefined {
  if (suffix === 'exists') {
    const [text] = texts
    if (texts.length > 1) return reject(parameter, 'INVALID_PARAMETER.once')
    // `city[exists]=false`: items without the field.
    if (text === 'true' || text === 'false')
      return { sql: `${quoted(column)} is ${text === 'true' ? 'not ' : ''}null`, values: [] }
    return reject(parameter, 'INVALID_PARAMETER.oneOf', { allowed: ['true', 'false'] })
  }
  const operator = suffix === undefined ? 'eq' : OPERATORS.find((name) => name === suffix)
  const isPart = operator === 'contains' || operator === 'startsWith'
  if (!operator) {
    const hint = nearHint(suffix ?? '', FILTER_SUFFIXES)
    return reject(parameter, 'INVALID_PARAMETER.operator', { allowed: FILTER_SUFFIXES }, hint)
  }
  if (isPart && field.kind !== 'text') return reject(parameter, 'INVALID_PARAMETER.textOnly')
  if (operator !== 'eq' && operator !== 'in' && texts.length > 1) return reject(parameter, 'INVALID_PARAMETER.once')
  if (isPart) {
    if (texts.every(isStorable)) return { column, operator, values: texts }
    return reject(parameter, 'INVALID_PARAMETER.value', { detail: message('FORMAT.control') })
  }
  const words = operator === 'in' ? texts.flatMap((text) => text.split(',')) : texts
  if (field.condition) {
    const condition = field.condition(column, operator, words)
    const detail = message('FORMAT.amount', { allowed: CURRENCIES })
    return condition ?? reject(parameter, 'INVALID_PARAMETER.value', { detail })
  }
  const values: Stored[] = []
  for (const word of words) {
    const { data, error } = field.schema.safeParse(field.fromText(word), { reportInput: true })
    if (error) {
      // The same message that the value would get in a body.
      const [problem] = toProblems('', error.issues, field.json)
      const detail = message(problem?.key ?? 'FORMAT', problem?.params)
      return reject(parameter, 'INVALID_PARAMETER.value', { detail }, problem?.hint)
    }
    values.push(field.store(data)[0] ?? null)
  }
  return { column, operator: operator === 'in' || values.length > 1 ? 'in' : operator, values }
}

/** Writes conditions as SQL with `?`, and adds their values to the list. */
export function toWhere(conditions: readonly AnyCondition[], dialect: Dialect, values: Stored[]): string {
  if (conditions.length === 0) return ''
  const parts = conditions.map((condition) => {
    if ('sql' in condition) {
      values.push(...condition.values)
      return condition.sql
    }
    return formatCondition(condition, dialect, values)
  })
  return ` where ${parts.join(' and ')}`
}

const COMPARISONS = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

// Sorts after every text that starts with the same characters.
const LAST = '\u{10ffff}'

function formatCondition(
  { column, operator, values: operands }: Condition,
  dialect: Dialect,
  values: Stored[],
): string {
  const name = quoted(column)
  const [value = null] = operands
  if (operator === 'in') {
    values.push(...operands)
    return `${name} in (${marks(operands)})`
  }
  values.push(value)
  if (operator === 'ne') return `(${name} <> ? or ${name} is null)`
  if (operator === 'contains') return dialect === 'sqlite' ? `instr(${name}, ?) > 0` : `strpos(${name}, ?) > 0`
  if (operator === 'startsWith') {
    values.push(`${String(value)}${LAST}`)
    return `${name} >= ? and ${name} < ?`
  }
  return `${name} ${COMPARISONS[operator]} ?`
}
