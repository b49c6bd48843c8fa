import type { Db, Document } from '../engine/define.ts'
import { type Money, splitTax } from '../engine/money.ts'
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

async function namedLines(lines: readonly OrderLine[], db: Db): Promise<object[]> {
  const ids = lines.map(({ productId }) => productId)
  const rows = await db.selectFrom('products').select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(rows.map(({ id, name }) => [Number(id), name]))
  return lines.map(({ productId, ...line }) => ({ productId, name: names.get(productId), ...line }))
}
