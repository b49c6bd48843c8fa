import { type Dialect, quoted, type Stored } from '../database/connection.ts'

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
    return `${name} in (${operands.map(() => '?').join(', ')})`
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
