import { z } from 'zod'
import { type Field, field } from './fields.ts'
import { formatScaled, parseScaled } from './scaled.ts'

export interface Money {
  /** `10.00`: exact, with the digits that ISO 4217 gives the currency. */
  amount: string
  currency: string
}

/** Currencies of the service, with their digits after the point (ISO 4217). */
export const CURRENCIES: Readonly<Record<string, number>> = { EUR: 2, USD: 2, GBP: 2, CHF: 2, JPY: 0 }

/** The scale of a currency. */
export function scaleOf(currency: string): number {
  return CURRENCIES[currency] ?? 2
}

/** An amount of money in whole minor units: cents. */
export function minorOf({ amount, currency }: Money): number {
  return parseScaled(amount, scaleOf(currency)) ?? Number.NaN
}

/** Money of minor units. */
export function moneyOf(minor: number, currency: string): Money {
  return { amount: formatScaled(minor, scaleOf(currency)), currency }
}

export interface MoneyLimits {
  /** Least and greatest amount in minor units. */
  min?: number
  max?: number
  /** @defaultValue all that the service knows */
  currencies?: readonly string[]
}

/** Money: an exact amount and its currency. */
export function money({ min = 0, max, currencies = Object.keys(CURRENCIES) }: MoneyLimits = {}): Field<Money> {
  const shape = z.strictObject({ amount: z.string().max(20), currency: z.enum(currencies) })
  return field<Money>({
    schema: shape
      .refine((value) => !Number.isNaN(minorOf(value)), { message: 'must be a decimal number', path: ['amount'] })
      .transform((value) => moneyOf(minorOf(value), value.currency)),
    json: {
      type: 'object',
      properties: {
        amount: { type: 'string', pattern: '^-?\\d{1,13}(\\.\\d{1,2})?$', examples: ['10.00'] },
        currency: { type: 'string', enum: currencies },
      },
      required: ['amount', 'currency'],
      additionalProperties: false,
    },
    kind: 'number',
    range: (value) => {
      const minor = minorOf(value)
      if (minor < min) return `must be at least ${formatScaled(min, 2)}`
      return max !== undefined && minor > max ? `must be at most ${formatScaled(max, 2)}` : undefined
    },
    columns: { '': 'integer', Currency: 'text' },
    store: (value) => [minorOf(value), value.currency],
    load: ([minor, currency]) => moneyOf(Number(minor), String(currency)),
    fromText: (input) => ({
      amount: input.replace(/ .*$/s, ''),
      currency: /^\S+ ([A-Z]{3})$/.exec(input)?.[1] ?? 'EUR',
    }),
  })
}
