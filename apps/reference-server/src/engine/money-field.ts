import { z } from 'zod'
import type { Operator } from './conditions.ts'
import { type Field, type FieldCondition, field, formatIssue } from './fields.ts'
import {
  CURRENCIES,
  compare,
  countDigits,
  isCurrency,
  loadMoney,
  type Money,
  parseMoney,
  parseScaled,
  storeMoney,
  zero,
} from './money.ts'

export interface MoneyOptions {
  /** The smallest amount is one minor unit of its currency, instead of zero. @defaultValue false */
  positive?: boolean
  /** Largest amount by currency. @defaultValue none */
  max?: Money
  /** @defaultValue all currencies of the service */
  currencies?: readonly string[]
}

const MAX_DIGITS = Math.max(...CURRENCIES.map(countDigits))

/** A field that holds an exact amount and its currency, in two columns. */
export function money({ positive = false, max, currencies = CURRENCIES }: MoneyOptions = {}): Field<Money> {
  const shape = z.strictObject({ amount: z.string().max(20), currency: z.enum(currencies) })
  return field<Money>({
    schema: shape.transform(({ amount, currency }, context) => {
      const value = parseMoney(amount, currency)
      if (value) return value
      const { error: message, params } = amountIssue(amount, currency)
      context.addIssue({ code: 'custom', message, params, path: ['amount'] })
      return z.NEVER
    }),
    json: {
      type: 'object',
      properties: {
        amount: {
          type: 'string',
          maxLength: 20,
          pattern: `^-?\\d{1,13}(\\.\\d{1,${MAX_DIGITS}})?$`,
          examples: ['10.00'],
        },
        currency: { type: 'string', enum: currencies },
      },
      required: ['amount', 'currency'],
      additionalProperties: false,
    },
    kind: 'number',
    range: (value) => {
      const least = smallest(value.currency, positive)
      if (compare(value, least) < 0) return [{ pointer: '/amount', key: 'RANGE.min', params: { min: least.amount } }]
      if (max === undefined || max.currency !== value.currency || compare(value, max) <= 0) return []
      return [{ pointer: '/amount', key: 'RANGE.max', params: { max: max.amount } }]
    },
    columns: { '': 'integer', Currency: 'text' },
    store: (value) => Object.values(storeMoney('', value)),
    load: ([amount = null, currency = null]) => loadMoney({ amount, amountCurrency: currency }, 'amount'),
    fromText: (input) => {
      const [amount, currency] = input.split(' ')
      return { amount, currency }
    },
    condition: compareAmounts,
    sortColumns: ['Currency', ''],
  })
}

function smallest(currency: string, positive: boolean): Money {
  return loadMoney({ amount: positive ? 1 : 0, amountCurrency: currency }, 'amount')
}

// `1.001` is a decimal number: it only has too many digits.
function amountIssue(amount: string, currency: string): ReturnType<typeof formatIssue> {
  const count = countDigits(currency)
  if (parseScaled(amount, MAX_SCALE) !== undefined) return formatIssue('FORMAT.decimals', { count })
  return formatIssue('FORMAT.decimal', { count, example: zero(currency).amount })
}

const MAX_SCALE = 9

const COMPARISONS: Partial<Record<Operator, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' }
const FILTER = /^(\S+)(?: ([A-Z]{3}))?$/

/**
 * Compares a column with amounts such as `10.00 EUR`. An amount without a currency is compared with
 * the amounts of every currency: `10` is less than 15 yen and less than 15.00 euros.
 */
function compareAmounts(column: string, operator: Operator, texts: readonly string[]): FieldCondition | undefined {
  const values: (string | number)[] = []
  const choices: string[] = []
  for (const text of texts) {
    const [, amount = '', named] = FILTER.exec(text) ?? []
    const units = parseScaled(amount, MAX_DIGITS)
    if (units === undefined || (named !== undefined && !isCurrency(named))) return undefined
    for (const currency of named === undefined ? CURRENCIES : [named]) {
      // The column has minor units of its currency; all are compared with the same number of
      // digits.
      const factor = 10 ** (MAX_DIGITS - countDigits(currency))
      choices.push(`("${column}Currency" = ? and "${column}" * ${factor} ${COMPARISONS[operator] ?? '='} ?)`)
      values.push(currency, units)
    }
  }
  const sql = `(${choices.join(' or ')})`
  return { sql: operator === 'ne' ? `not ${sql}` : sql, values }
}
