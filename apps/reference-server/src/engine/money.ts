import type { Operator, RawCondition } from './conditions.ts'

/** Digits after the decimal point of each currency of the service (ISO 4217). */
const DIGITS: ReadonlyMap<string, number> = new Map(Object.entries({ EUR: 2, USD: 2, GBP: 2, CHF: 2, JPY: 0 }))

/** Currencies of the service. */
export const CURRENCIES = [...DIGITS.keys()]

/** The most digits after the decimal point that a currency has. */
export const MAX_DIGITS = Math.max(...DIGITS.values())

/** An exact amount and its currency. Functions accept and return only both together. */
export interface Money {
  /** Decimal digits, as many after the point as ISO 4217 gives the currency: `10.00`. */
  amount: string
  currency: string
}

/** Thrown by arithmetic that has no exact result. */
export class MoneyError extends RangeError {
  override readonly name = 'MoneyError'
}

/** Returns the decimal digits of a currency. Throws a `TypeError` if it is not supported. */
export function countDigits(currency: string): number {
  const digits = DIGITS.get(currency)
  if (digits !== undefined) return digits
  throw new TypeError(`money: currency must be one of ${CURRENCIES.join(', ')}, got ${currency}`)
}

/** Parses an amount; `undefined` if it is not a decimal number with the digits of the currency. */
export function parse(amount: string, currency: string): Money | undefined {
  const units = parseScaled(amount, countDigits(currency))
  return units === undefined ? undefined : fromUnits(units, currency)
}

/** Writes an amount as messages do: `10.00 EUR`. */
export function format({ amount, currency }: Money): string {
  return `${amount} ${currency}`
}

/** Returns an amount in minor units of its currency. */
export function toUnits({ amount, currency }: Money): number {
  const units = parseScaled(amount, DIGITS.get(currency) ?? countDigits(currency))
  if (units === undefined) throw new TypeError(`money: ${amount} is not an amount of ${currency}`)
  return units
}

/** Returns the amount of this many minor units. Throws a `MoneyError` if it has too many digits. */
export function fromUnits(units: number, currency: string): Money {
  const scale = DIGITS.get(currency) ?? countDigits(currency)
  if (!(Math.abs(units) < 10 ** (MAX_WHOLE_DIGITS + scale))) throw outOfRange(currency)
  if (!Number.isSafeInteger(units)) throw new TypeError(`an amount needs whole units, got ${units}`)
  if (scale === 0) return { amount: String(units), currency }
  const digits = String(Math.abs(units)).padStart(scale + 1, '0')
  return { amount: `${units < 0 ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`, currency }
}

/** Returns zero in a currency. */
export function zero(currency: string): Money {
  return fromUnits(0, currency)
}

/** Adds two amounts of one currency. Throws a `MoneyError` if their currencies differ. */
export function add(a: Money, b: Money): Money {
  return fromUnits(toUnits(a) + toUnits(requireCurrency(a, b)), a.currency)
}

/** Subtracts an amount of the same currency. Throws a `MoneyError` if their currencies differ. */
export function subtract(a: Money, b: Money): Money {
  return fromUnits(toUnits(a) - toUnits(requireCurrency(a, b)), a.currency)
}

/** Multiplies an amount by an integer. Throws a `TypeError` for any other factor. */
export function times(money: Money, factor: number): Money {
  if (!Number.isSafeInteger(factor)) throw new TypeError(`money: factor must be an integer, got ${factor}`)
  return fromUnits(toUnits(money) * factor, money.currency)
}

/** Adds up amounts, from zero. Throws a `MoneyError` if a currency differs. */
export function sum(amounts: readonly Money[], currency: string): Money {
  let total = 0
  for (const amount of amounts) {
    total += toUnits(amount.currency === currency ? amount : requireCurrency({ currency }, amount))
    if (!Number.isSafeInteger(total)) throw outOfRange(currency)
  }
  return fromUnits(total, currency)
}

/** Compares two amounts for sorting. Throws a `MoneyError` if their currencies differ. */
export function compare(a: Money, b: Money): number {
  return toUnits(a) - toUnits(requireCurrency(a, b))
}

/** Splits an amount that includes a tax. The tax is rounded, and both parts add up. */
export function splitTax(total: Money, percent: number): { net: Money; tax: Money } {
  // Hundred times the largest amount is more than a number holds exactly.
  const [units, divisor] = [BigInt(toUnits(total)), BigInt(100 + percent)]
  const half = units < 0n ? -divisor : divisor
  const net = fromUnits(Number((units * 200n + half) / (2n * divisor)), total.currency)
  return { net, tax: subtract(total, net) }
}

const COMPARISONS: Partial<Record<Operator, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' }
const AMOUNT = /^(\S+)(?: ([A-Z]{3}))?$/

/**
 * Compares a column with amounts such as `10.00 EUR`. An amount without a currency is compared with
 * the amounts of every currency: `10` is less than 15 yen and less than 15.00 euros.
 */
export function compareColumn(column: string, operator: Operator, texts: readonly string[]): RawCondition | undefined {
  const values: (string | number)[] = []
  const choices: string[] = []
  for (const text of texts) {
    const [, amount = '', named] = AMOUNT.exec(text) ?? []
    const units = parseScaled(amount, MAX_DIGITS)
    if (units === undefined || (named !== undefined && !DIGITS.has(named))) return undefined
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

function requireCurrency({ currency }: Pick<Money, 'currency'>, other: Money): Money {
  if (other.currency === currency) return other
  throw new MoneyError(`${other.currency} cannot be combined with ${currency}`)
}

function outOfRange(currency: string): MoneyError {
  return new MoneyError(`an amount of ${currency} has too many digits`)
}

/** Maximum digits before the decimal point: with two more, an amount is still an exact number. */
export const MAX_WHOLE_DIGITS = 13

const DECIMAL = new RegExp(`^(-?)(\\d{1,${MAX_WHOLE_DIGITS}})(?:\\.(\\d+))?$`)

/** Parses a decimal number as an integer of its smallest unit: `10.5` with scale 2 is 1050. */
export function parseScaled(text: string, scale: number): number | undefined {
  const match = DECIMAL.exec(text)
  if (!match) return undefined
  const [, sign, whole, fraction = ''] = match
  if (fraction.length > scale) return undefined
  const units = Number(`${whole}${fraction.padEnd(scale, '0')}`)
  if (!Number.isSafeInteger(units)) return undefined
  return sign && units !== 0 ? -units : units
}
