import { marks } from '../database/connection.ts'
import { group, list } from '../engine/composites.ts'
import type { Connection, Document } from '../engine/define.ts'
import { integer, moment, reference, text } from '../engine/fields.ts'
import { described, optional } from '../engine/modifiers.ts'
import { type Money, splitTax } from '../engine/money.ts'
import { money } from '../engine/money-field.ts'
import type { OrderLine } from './rules/order-lines.ts'

const TAX_PERCENT = 19

/** What a paid order costs; prices include the tax. */
export const invoice: Document = {
  name: 'invoice',
  path: '/orders/{id}/invoice',
  parent: 'orders',
  scope: 'orders',
  cache: 'private',
  groups: ['products'],
  summary: 'Get the invoice of an order',
  description: 'Returns the invoice of a paid order. Prices include the tax.',
  gives: {
    number: described(text({ max: 32 }), 'Number of the invoice.'),
    orderId: described(reference(), 'Order that is invoiced.'),
    issuedAt: described(moment(), 'When it was issued.'),
    lines: described(
      list(
        group({
          id: described(optional(reference()), 'Number of the line.'),
          productId: described(reference(), 'Product that was ordered.'),
          name: described(optional(text({ max: 200 })), 'Name of the product.'),
          quantity: described(integer({ min: 1, max: 999 }), 'Number of pieces.'),
          unitPrice: described(money(), 'Price of one piece.'),
          lineTotal: described(money(), 'Price of all pieces.'),
        }),
      ),
      'Lines of the order.',
    ),
    subtotal: described(money(), 'Total without tax.'),
    tax: described(money(), 'Tax that the total contains.'),
    total: described(money(), 'Total with tax.'),
  },
  example: {
    number: '2026-000001',
    orderId: 1,
    issuedAt: '2026-01-06T15:00:00.000Z',
    lines: [
      {
        productId: 11,
        name: 'Poems',
        id: 1,
        quantity: 3,
        unitPrice: { amount: '9.99', currency: 'EUR' },
        lineTotal: { amount: '29.97', currency: 'EUR' },
      },
      {
        productId: 54,
        name: 'Turntable',
        id: 2,
        quantity: 1,
        unitPrice: { amount: '199.00', currency: 'EUR' },
        lineTotal: { amount: '199.00', currency: 'EUR' },
      },
    ],
    subtotal: { amount: '192.41', currency: 'EUR' },
    tax: { amount: '36.56', currency: 'EUR' },
    total: { amount: '228.97', currency: 'EUR' },
  },
  async read({ id, paidAt, items, total }, db) {
    if (typeof paidAt !== 'string') return undefined
    const { net, tax } = splitTax(total as Money, TAX_PERCENT)
    return {
      number: `${paidAt.slice(0, 4)}-${String(id).padStart(6, '0')}`,
      orderId: id,
      issuedAt: paidAt,
      lines: await namedLines(items as readonly OrderLine[], db),
      subtotal: net,
      tax,
      total,
    }
  },
  links: ({ id }) => ({ order: `/orders/${id}` }),
}

async function namedLines(lines: readonly OrderLine[], db: Connection): Promise<object[]> {
  const ids = lines.map(({ productId }) => productId)
  if (ids.length === 0) return []
  const sql = `select "id", "name" from "products" where "id" in (${marks(ids)})`
  const rows = await db.all<{ id: number; name: string }>(sql, ids)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return lines.map(({ productId, ...line }) => ({ productId, name: names.get(productId), ...line }))
}
