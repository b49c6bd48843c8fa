import { quoted, type Stored } from '../database/connection.ts'
import type { ProblemKey } from '../messages/errors.ts'
import { type Message, message, type Params } from '../messages/messages.ts'
import { nearHint } from '../messages/near-name.ts'
import type { AnyCondition, Operator } from './conditions.ts'
import type { Collection } from './define.ts'
import type { Field } from './field.ts'
import { isStorable, longReference, reference } from './field-types.ts'
import { CURRENCIES } from './money.ts'
import { toProblems } from './validate.ts'

const PARAMETER = /^([A-Za-z]\w*)(?:\[(\w+)\])?$/
const OPERATORS: readonly Operator[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'startsWith']
const FILTER_SUFFIXES = [...OPERATORS, 'exists']
const WORD_SUFFIXES = ['eq', 'ne', 'in', 'exists']

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

/** Values of one filter, which SQL has a limit for. */
const MAX_VALUES = 100
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
  if (isWord(field) && operator !== 'eq' && operator !== 'ne' && operator !== 'in')
    return reject(parameter, 'INVALID_PARAMETER.operator', { allowed: WORD_SUFFIXES })
  if (isPart && field.kind !== 'text') return reject(parameter, 'INVALID_PARAMETER.textOnly')
  if (operator !== 'eq' && operator !== 'in' && texts.length > 1) return reject(parameter, 'INVALID_PARAMETER.once')
  if (isPart) {
    if (texts.every(isStorable)) return { column, operator, values: texts }
    return reject(parameter, 'INVALID_PARAMETER.value', { detail: message('FORMAT.control') })
  }
  const words = operator === 'in' ? texts.flatMap((text) => text.split(',')) : texts
  if (words.length > MAX_VALUES) {
    const detail = message('LENGTH.maxItems', { count: MAX_VALUES })
    return reject(parameter, 'INVALID_PARAMETER.value', { detail })
  }
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

/** Whether a field has one of a few values, which have no order and no parts. */
function isWord({ json }: Field): boolean {
  return json.enum !== undefined || json.type === 'boolean'
}
