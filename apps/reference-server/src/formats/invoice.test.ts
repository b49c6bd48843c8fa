import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawInvoice, type Invoice, invoiceText, toWinAnsi } from './invoice.ts'

const money = (amount: string) => ({ amount, currency: 'EUR' })
const line = (name: string) => ({
  productId: 1,
  name,
  quantity: 2,
  unitPrice: money('10.00'),
  lineTotal: money('20.00'),
})
const invoice = (...names: string[]): Invoice => ({
  number: '2026-000001',
  orderId: 1,
  issuedAt: '2026-01-06T15:00:00.000Z',
  lines: names.map(line),
  subtotal: money('16.81'),
  tax: money('3.19'),
  total: money('20.00'),
})

describe('an invoice as text', () => {
  test('is a table of 72 columns', () => {
    const rows = invoiceText(invoice('Laptop')).split('\n')
    expect(rows.slice(0, 3)).toEqual(['Invoice   2026-000001', 'Order     1', 'Issued    2026-01-06'])
    expect(rows).toContain(`${'Laptop'.padEnd(36)}    2      10.00 EUR       20.00 EUR`)
    expect(rows.at(-2)).toBe(`${'Total'.padStart(56)}${'20.00 EUR'.padStart(16)}`)
    expect(Math.max(...rows.map((row) => row.length))).toBe(72)
  })

  test('numbers that are too long for their columns make a row longer', () => {
    const big = { ...line('Big'), quantity: 500, unitPrice: money('10000000.00'), lineTotal: money('5000000000.00') }
    const text = invoiceText({ ...invoice(), lines: [big], total: money('5000000000.00') })
    expect(text).toContain('  500 10000000.00 EUR 5000000000.00 EUR\n')
    expect(text).toContain('Total 5000000000.00 EUR\n')
  })

  test('a name that is too long has a line of its own, and none looks like another line', () => {
    const text = invoiceText(invoice('x'.repeat(50), 'a\nTotal   0.00 EUR'))
    expect(text).toContain(`${'x'.repeat(50)}\n${' '.repeat(36)}    2`)
    expect(text.match(/^ *Total/gm)).toHaveLength(1)
  })
})

describe('an invoice as PDF', () => {
  test('is the same bytes every time, and other bytes for another invoice', async () => {
    const [one, again, other] = await Promise.all([
      drawInvoice(invoice('Laptop')),
      drawInvoice(invoice('Laptop')),
      drawInvoice(invoice('Desktop')),
    ])
    expect(one.equals(again)).toBe(true)
    expect(one.equals(other)).toBe(false)
    expect(one.toString('latin1', 0, 8)).toBe('%PDF-1.7')
    expect(one.toString('latin1').trimEnd()).toMatch(/%%EOF$/)
  })

  test('a long one has several pages', async () => {
    const pages = async (count: number): Promise<number> => {
      const names = Array.from({ length: count }, (_, at) => `Part ${at}`)
      const text = (await drawInvoice(invoice(...names))).toString('latin1')
      return text.match(/\/Type \/Page\b/g)?.length ?? 0
    }
    expect(await pages(1)).toBe(1)
    // 12 points of a line and 6 of space: some 40 rows are on a page.
    expect(await pages(100)).toBe(3)
  })

  test('each page of a long one is tagged', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `Part ${index}`)
    const bytes = await drawInvoice(invoice(...names))
    const streams = [...bytes.toString('latin1').matchAll(/stream\n(x[^]*?)\nendstream/g)].map(([, content = '']) =>
      inflateSync(Buffer.from(content, 'latin1')).toString('latin1'),
    )
    const contents = streams.filter((content) => content.includes(' Tf'))
    expect(contents).toHaveLength(2)
    // ISO 32000-1 §14.6.1: marked content begins and ends on the same page.
    for (const content of contents)
      expect(content.match(/\bBDC\b/g)?.length, content.slice(0, 99)).toBe(content.match(/\bEMC\b/g)?.length)
  })

  test('any name can stand in it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (name) => {
        expect((await drawInvoice(invoice(name))).length).toBeGreaterThan(1000)
      }),
      { numRuns: 25 },
    )
  })
})

describe('letters of the standard fonts', () => {
  test.each([
    ['Grüße, Æsir – 5 €', 'Grüße, Æsir – 5 €'],
    ['Łódź, Đorđe, ħ, Ọlá', 'Lódz, Dorde, h, Olá'],
    ['e\u0301', 'é'],
    ['ﬁ ½ Ⅳ', 'fi ½ IV'],
    ['日本 😀', '?? ?'],
    ['a\nb\tc\u2028d', 'a b c d'],
    ['\u0000\ud800', '??'],
    ['', ''],
  ])('%o is %o', (given, expected) => {
    expect(toWinAnsi(given)).toBe(expected)
  })

  test('nothing else comes out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(toWinAnsi(text)).toMatch(/^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/)
      }),
    )
  })
})

test('draws only the document that is an invoice', async () => {
  await expect(drawInvoice({ ...invoice('Laptop'), lines: undefined })).rejects.toThrow(
    new TypeError('the document is not an invoice'),
  )
})
