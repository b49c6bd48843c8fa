import type { LinkEntry } from '@svc/hal'
import {
  type ChangeContext,
  type Connection,
  collection,
  failure,
  field,
  forUpdate,
  type LinkContext,
  money,
  selectFields,
  updateFields,
} from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import { lineFields, priceLines, withinRange } from './order-lines.ts'
import { ORDER_STATES, orders } from './orders.ts'
import { LIFTED_BY_STAFF, ORDER_OF_CUSTOMER } from './rules.ts'

const change: LinkEntry<{ orderStatus: string }, LinkContext> = {
  href: '/orders/{orderId}/items/{id}',
  when: ({ orderStatus }, { can }) => orderStatus === 'CREATED' && can('orders:write'),
}

export const orderItems = collection({
  name: 'items',
  item: 'item',
  description: 'Lines of an order.',
  example: examples.orderItems,
  path: '/orders/{orderId}/items',
  parent: 'orders',
  table: 'order_items',
  scope: 'orders',
  fields: {
    orderId: field.reference().readOnly().describe('Order that the line belongs to.'),
    productId: lineFields.productId,
    quantity: lineFields.quantity,
    unitPrice: field.money().readOnly().describe('Price of one piece when it was ordered.'),
    lineTotal: field.money().optional().withoutColumn().readOnly().describe('Price of all pieces.'),
    orderStatus: field
      .choice(...ORDER_STATES)
      .computed('select "status" from "orders" where "orders"."id" = "order_items"."orderId"')
      .hidden(),
  },
  sort: ['productId'],
  references: { productId: 'products' },
  links: {
    update: change,
    delete: change,
    order: '/orders/{orderId}',
    product: '/products/{productId}',
  },
  createWhen: ({ status }) => status === 'CREATED',
  owner: { is: 'customerId', condition: ORDER_OF_CUSTOMER, liftedBy: LIFTED_BY_STAFF },
  methods: ['GET', 'POST', 'PATCH', 'DELETE'],
  affects: ['orders'],
  cache: 'private',
  hooks: {
    load(_db, items) {
      for (const item of items) item.lineTotal = money.times(item.unitPrice, item.quantity)
    },
    async beforeSave(next, previous, { db }) {
      const { currency } = (await lockOpen(db, next.orderId)) ?? {}
      const context = { before: previous ? [previous] : [], currency, pointer: '/productId' }
      const { lines } = await priceLines(db, [next], context)
      if (lines[0]) next.unitPrice = lines[0].unitPrice
    },
    afterSave: ({ orderId }, _previous, work) => retotal(orderId, work),
    beforeDelete: async ({ orderId }, { db }) => void (await lockOpen(db, orderId)),
    afterDelete: ({ orderId }, work) => retotal(orderId, work),
  },
})

/** Locks an order and returns it. Throws a 409 if it is not new. */
async function lockOpen(db: Connection, orderId: number) {
  const names = ['status', 'currency', 'total'] as const
  const [order] = await selectFields(db, orders, names, `where "id" = ?${forUpdate(db)}`, [orderId])
  if (order && order.status !== 'CREATED')
    throw failure('ILLEGAL_TRANSITION.items', { status: order.status, allowed: ['CREATED'] })
  return order
}

/** Adds up an order again after one of its items changed. */
async function retotal(orderId: number, { db, now }: ChangeContext): Promise<void> {
  const order = await lockOpen(db, orderId)
  if (!order) return
  const items = await selectFields(db, orderItems, ['quantity', 'unitPrice'], 'where "orderId" = ?', [orderId])
  const amounts = items.map(({ quantity, unitPrice }) => money.times(unitPrice, quantity))
  const currency = order.currency ?? amounts[0]?.currency
  const total = withinRange('', () => money.sum(amounts, currency ?? order.total.currency))
  await updateFields(db, orders, { total, currency }, now, '"id" = ?', [orderId])
}
