import { headOf, type Invoice, type Row, rowsOf, sumsOf } from './invoice.ts'

const WIDTHS = [36, 5, 15, 16] as const
const WIDTH = WIDTHS.reduce((sum, width) => sum + width, 0)
const RULE = `${'-'.repeat(WIDTH)}\n`

/** An invoice for terminals, mail and printers: 72 columns. */
export function invoiceText(invoice: Invoice): string {
  const head = headOf(invoice).map(([label, value]) => `${label.padEnd(10)}${value}\n`)
  const rows = rowsOf(invoice).map(rowText)
  const sums = sumsOf(invoice).map(([label, amount]) => `${label.padStart(WIDTH - 16)}${amount.padStart(16)}\n`)
  return [...head, '\n', rowText(['Item', 'Qty', 'Price', 'Amount']), RULE, ...rows, RULE, ...sums].join('')
}

function rowText([what, quantity, price, total]: Row): string {
  const [first, ...widths] = WIDTHS
  const numbers = [quantity, price, total].map((text, at) => text.padStart(widths[at] ?? 0)).join('')
  // Text of a client must not look like another line, nor control a terminal.
  const name = what.replace(/\p{Cc}/gu, '\u{fffd}')
  return name.length < first ? `${name.padEnd(first)}${numbers}\n` : `${name}\n${' '.repeat(first)}${numbers}\n`
}
