import type { Money } from '../../engine/money.ts'

/** An invoice as its document declares it. */
export interface Invoice {
  number: string
  orderId: number
  issuedAt: string
  lines: readonly { productId: number; name?: string; quantity: number; unitPrice: Money; lineTotal: Money }[]
  subtotal: Money
  tax: Money
  total: Money
}

/** A row of an invoice: what, how many, at what price, and what that makes. */
export type Row = readonly [what: string, quantity: string, price: string, total: string]

/** The rows of an invoice, in their order. */
export function buildRows({ lines }: Invoice): Row[] {
  return lines.map(({ productId, name = `Product ${productId}`, quantity, unitPrice, lineTotal }) => [
    name,
    String(quantity),
    shown(unitPrice),
    shown(lineTotal),
  ])
}

/** What stands below the rows: the tax is part of the prices. */
export function buildSums({ subtotal, tax, total }: Invoice): [label: string, amount: string][] {
  return [
    ['Net', shown(subtotal)],
    ['Tax', shown(tax)],
    ['Total', shown(total)],
  ]
}

/** What stands above the rows. */
export function buildHead({ number, orderId, issuedAt }: Invoice): [label: string, value: string][] {
  return [
    ['Invoice', number],
    ['Order', String(orderId)],
    ['Issued', issuedAt.slice(0, 10)],
  ]
}

function shown({ amount, currency }: Money): string {
  return `${amount} ${currency}`
}

const WIDTHS = [36, 5, 15, 16] as const
const WIDTH = WIDTHS.reduce((sum, width) => sum + width, 0)
const RULE = `${'-'.repeat(WIDTH)}\n`

/** An invoice for terminals, mail and printers: 72 columns. */
export function invoiceText(invoice: Invoice): string {
  const head = buildHead(invoice).map(([label, value]) => `${label.padEnd(10)}${value}\n`)
  const rows = buildRows(invoice).map(rowText)
  const sums = buildSums(invoice).map(([label, amount]) => `${label.padStart(WIDTH - 16)}${amount.padStart(16)}\n`)
  return [...head, '\n', rowText(['Item', 'Qty', 'Price', 'Amount']), RULE, ...rows, RULE, ...sums].join('')
}

function rowText([what, quantity, price, total]: Row): string {
  const [first, ...widths] = WIDTHS
  const numbers = [quantity, price, total].map((text, at) => text.padStart(widths[at] ?? 0)).join('')
  // Text of a client must not look like another line, nor control a terminal.
  const name = what.replace(/\p{Cc}/gu, '\u{fffd}')
  return name.length < first ? `${name.padEnd(first)}${numbers}\n` : `${name}\n${' '.repeat(first)}${numbers}\n`
}
