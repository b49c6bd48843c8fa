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
export function rowsOf({ lines }: Invoice): Row[] {
  return lines.map(({ productId, name = `Product ${productId}`, quantity, unitPrice, lineTotal }) => [
    name,
    String(quantity),
    shown(unitPrice),
    shown(lineTotal),
  ])
}

/** What stands below the rows: the tax is part of the prices. */
export function sumsOf({ subtotal, tax, total }: Invoice): [label: string, amount: string][] {
  return [
    ['Net', shown(subtotal)],
    ['Tax', shown(tax)],
    ['Total', shown(total)],
  ]
}

/** What stands above the rows. */
export function headOf({ number, orderId, issuedAt }: Invoice): [label: string, value: string][] {
  return [
    ['Invoice', number],
    ['Order', String(orderId)],
    ['Issued', issuedAt.slice(0, 10)],
  ]
}

function shown({ amount, currency }: Money): string {
  return `${amount} ${currency}`
}
