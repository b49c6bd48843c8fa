import { expect, test } from 'vitest'
import { catalogCases } from '../../../test/catalog-cases.ts'
import { momentIn, moneyIn, numberIn } from '../../messages/locale.ts'
import { catalog, headerNotes, text } from './texts.ts'

const SAME = [
  'API',
  'SOAP',
  'Pages',
  'Name',
  'Version {number}',
  'Message',
  'Status',
  'Format',
  'Version',
  '{count} ms',
]
catalogCases('pages', catalog, new Set([...SAME, '{count} bytes', 'Caching', 'Links']))
catalogCases('notes on headers', headerNotes, new Set())

test.each([
  ['en', '1,234.5', '€1,234.50', 'Jan 9, 2026, 02:00 AM UTC', 'Jan 9, 2026', 'Page 2 of 1,000'],
  ['de', '1.234,5', '1.234,50 €', '9. Jan. 2026, 02:00 UTC', '9. Jan. 2026', 'Seite 2 von 1.000'],
  ['fr', '1 234,5', '1 234,50 €', '9 janv. 2026, 02:00 UTC', '9 janv. 2026', 'Page 2 sur 1 000'],
  ['es', '1234,5', '1234,50 €', '9 ene 2026, 02:00 UTC', '9 ene 2026', 'Página 2 de 1000'],
] as const)(
  'numbers, money and moments look in %s as people write them',
  (language, number, money, moment, date, page) => {
    const plain = (written: string | undefined): string | undefined => written?.replace(/[\u00a0\u202f]/g, ' ')
    expect(plain(numberIn(language, 1234.5))).toBe(number)
    expect(plain(moneyIn(language, '1234.50', 'EUR'))).toBe(money)
    expect(plain(momentIn(language, '2026-01-09T02:00:00.000Z'))).toBe(moment)
    expect(plain(momentIn(language, '2026-01-09'))).toBe(date)
    expect(plain(text(language, 'pageOf', { number: 2, total: 1000 }))).toBe(page)
  },
)

test.each(['', '2026-13-40', '2026-01-09T99:00:00Z', 'yesterday', '__proto__', '2026-01-09 '])(
  '%o is no moment',
  (value) => {
    expect(momentIn('en', value)).toBeUndefined()
  },
)

test.each([
  ['', 'EUR'],
  ['1e9', 'EUR'],
  ['1', 'eur'],
  [undefined, undefined],
  ['1', '__proto__'],
])('%o %o is no money', (amount, currency) => {
  expect(moneyIn('en', amount, currency)).toBeUndefined()
})
