import type { Document } from './define.ts'
import { type Money, minorOf, moneyOf } from './money.ts'

const TAX_PERCENT = 19

/** What a paid order costs; prices include the tax. */
export const invoice: Document = {
  name: 'invoice',
  path: '/orders/{id}/invoice',
  parent: 'orders',
  scope: 'orders',
  cache: 'private',
  read({ id, paidAt, items, total }) {
    if (typeof paidAt !== 'string') return undefined
    const { currency } = total as Money
    const minor = minorOf(total as Money)
    const subtotal = Math.round((minor * 100) / (100 + TAX_PERCENT))
    return {
      number: `${paidAt.slice(0, 4)}-${String(id).padStart(6, '0')}`,
      orderId: id,
      issuedAt: paidAt,
      lines: items,
      subtotal: moneyOf(subtotal, currency),
      tax: moneyOf(minor - subtotal, currency),
      total,
    }
  },
  links: ({ id }) => ({ order: `/orders/${id}` }),
}
