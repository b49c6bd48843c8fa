import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as field from './field-types.ts'
import {
  add,
  CURRENCIES,
  compare,
  countDigits,
  fromUnits,
  MoneyError,
  parse,
  splitTax,
  subtract,
  sum,
  times,
  toUnits,
  zero,
} from './money.ts'

const MAX = 10 ** 10
const units = (min = -MAX): fc.Arbitrary<number> => fc.integer({ min, max: MAX })
const currency = fc.constantFrom(...CURRENCIES)
const of = fromUnits

describe('arithmetic', () => {
  test('adds and subtracts exactly, and keeps the currency', () => {
    fc.assert(
      fc.property(units(), units(), currency, (a, b, code) => {
        expect(add(of(a, code), of(b, code))).toEqual(of(a + b, code))
        expect(subtract(add(of(a, code), of(b, code)), of(b, code))).toEqual(of(a, code))
        expect(Math.sign(compare(of(a, code), of(b, code)))).toBe(Math.sign(a - b))
      }),
    )
  })

  test('multiplies as it adds', () => {
    fc.assert(
      fc.property(units(), fc.integer({ min: 0, max: 20 }), currency, (a, factor, code) => {
        const amounts = Array.from({ length: factor }, () => of(a, code))
        expect(times(of(a, code), factor)).toEqual(sum(amounts, code))
      }),
    )
  })

  test('throws on two currencies', () => {
    fc.assert(
      fc.property(units(), units(), currency, currency, (a, b, one, other) => {
        fc.pre(one !== other)
        for (const combine of [add, subtract, compare])
          expect(() => combine(of(a, one), of(b, other))).toThrow(MoneyError)
        expect(() => sum([of(a, one), of(b, other)], one)).toThrow(MoneyError)
        expect(() => times(of(a, one), of(b, other) as unknown as number)).toThrow(TypeError)
      }),
    )
  })

  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('throws a TypeError for the factor %d', (factor) => {
    expect(() => times(of(1, 'EUR'), factor)).toThrow(TypeError)
  })

  test('throws instead of losing digits', () => {
    const most = { amount: '9999999999999.99', currency: 'EUR' }
    expect(toUnits(most)).toBe(999_999_999_999_999)
    expect(() => add(most, of(1, 'EUR'))).toThrow(MoneyError)
    expect(() => times(most, 999)).toThrow(MoneyError)
    expect(() => times({ amount: '9999999999999', currency: 'JPY' }, 2)).toThrow(MoneyError)
  })

  test('splits a tax off so that both parts are the whole, rounded to the digits of the currency', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 13 - 1 }),
        fc.integer({ min: 0, max: 100 }),
        currency,
        (a, rate, code) => {
          const total = of(a, code)
          const { net, tax } = splitTax(total, rate)
          expect(add(net, tax)).toEqual(total)
          const exact = (BigInt(a) * 100n * 10n) / BigInt(100 + rate)
          expect(Math.abs(Number(BigInt(toUnits(net)) * 10n - exact))).toBeLessThanOrEqual(5)
        },
      ),
    )
    expect(splitTax(of(1500, 'JPY'), 19)).toEqual({ net: of(1261, 'JPY'), tax: of(239, 'JPY') })
    expect(splitTax(of(2500, 'EUR'), 19)).toEqual({ net: of(2101, 'EUR'), tax: of(399, 'EUR') })
  })
})

describe('amounts', () => {
  test('have the digits that ISO 4217 gives their currency', () => {
    for (const code of CURRENCIES) {
      const digits = new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
      expect(countDigits(code)).toBe(digits.maximumFractionDigits)
    }
    expect(of(1500, 'JPY')).toEqual({ amount: '1500', currency: 'JPY' })
    expect(of(1500, 'EUR')).toEqual({ amount: '15.00', currency: 'EUR' })
    expect(zero('JPY')).toEqual({ amount: '0', currency: 'JPY' })
  })

  test('are read back as they were written', () => {
    const price = field.money()
    fc.assert(
      fc.property(units(), currency, (a, code) => {
        const { amount } = of(a, code)
        expect(parse(amount, code)).toEqual({ amount, currency: code })
        const [first = null, second = null] = price.store(of(a, code))
        expect(price.load(first, second)).toEqual(of(a, code))
      }),
    )
  })

  test.each([
    ['1.5', 'JPY'],
    ['1.001', 'EUR'],
    ['1e3', 'EUR'],
    ['', 'EUR'],
    ['01234567890123.4', 'EUR'],
    ['123456789012345.001', 'EUR'],
    ['__proto__', 'EUR'],
  ])('%j of %s is not an amount', (amount, code) => {
    expect(parse(amount, code)).toBeUndefined()
    expect(field.money().schema.safeParse({ amount, currency: code }).success).toBe(false)
  })

  test.each(['XXX', 'eur', '', '__proto__', 'toString'])('have no currency %j', (code) => {
    expect(() => countDigits(code)).toThrow(TypeError)
    expect(field.money().schema.safeParse({ amount: '1', currency: code }).success).toBe(false)
  })

  test.each([
    ['12345678901234', 'EUR', { key: 'RANGE.max', params: { max: '9999999999999.99' } }],
    ['99999999999999.9', 'USD', { key: 'RANGE.max', params: { max: '9999999999999.99' } }],
    ['10000000000000', 'JPY', { key: 'RANGE.max', params: { max: '9999999999999' } }],
    ['-12345678901234.00', 'EUR', { key: 'RANGE.min', params: { min: '0.00' } }],
  ])('%j of %s is out of range', (amount, code, problem) => {
    const { schema, range } = field.money()
    expect(range?.(schema.parse({ amount, currency: code }))).toEqual([{ pointer: '/amount', ...problem }])
    expect(parse(amount, code)).toBeUndefined()
  })

  test('have limits in their own currency', () => {
    const limited = field.money({ positive: true, max: { amount: '10.00', currency: 'EUR' } })
    expect(limited.range?.(of(0, 'JPY'))).toMatchObject([{ key: 'RANGE.min', params: { min: '1' } }])
    expect(limited.range?.(of(0, 'EUR'))).toMatchObject([{ key: 'RANGE.min', params: { min: '0.01' } }])
    expect(limited.range?.(of(1001, 'EUR'))).toMatchObject([{ key: 'RANGE.max', params: { max: '10.00' } }])
    expect(limited.range?.(of(1001, 'JPY'))).toEqual([])
  })
})
