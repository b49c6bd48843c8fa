import type { LinkEntry } from '@svc/hal'
import {
  apart,
  type ChangeContext,
  type Connection,
  choice,
  collection,
  computed,
  described,
  failure,
  forUpdate,
  hidden,
  integer,
  type LinkContext,
  money,
  optional,
  readOnly,
  reference,
  selectFields,
  sum,
  times,
  updateFields,
} from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import { priceLines, withinRange } from './order-lines.ts'
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
    orderId: described(readOnly(reference()), 'Order that the line belongs to.'),
    productId: described(reference(), 'Product that is ordered.'),
    quantity: described(integer({ min: 1, max: 999 }), 'Number of pieces.'),
    unitPrice: described(readOnly(money()), 'Price of one piece when it was ordered.'),
    lineTotal: described(readOnly(apart(optional(money()))), 'Price of all pieces.'),
    orderStatus: hidden(
      computed(choice(...ORDER_STATES), 'select "status" from "orders" where "orders"."id" = "order_items"."orderId"'),
    ),
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
      for (const item of items) item.lineTotal = times(item.unitPrice, item.quantity)
    },
    async beforeSave(next, previous, { db }) {
      const currency = await requireOpen(db, next.orderId)
      const { productId, quantity } = next
      const before = previous ? [{ ...previous, id: undefined }] : []
      const pointerTo = (): string => '/productId'
      const { lines } = await priceLines(db, [{ productId, quantity }], { before, currency, pointerTo })
      if (lines[0]) next.unitPrice = lines[0].unitPrice
    },
    afterSave: ({ orderId }, _previous, work) => retotal(orderId, work),
    beforeDelete: async ({ orderId }, { db }) => void (await requireOpen(db, orderId)),
    afterDelete: ({ orderId }, work) => retotal(orderId, work),
  },
})

/** Locks an order and returns its currency, if it has one. Throws a 409 if it is not new. */
async function requireOpen(db: Connection, orderId: number): Promise<string | undefined> {
  const rest = `where "id" = ?${forUpdate(db)}`
  const [order] = await selectFields(db, orders, ['status', 'currency'], rest, [orderId])
  if (order && order.status !== 'CREATED')
    throw failure('ILLEGAL_TRANSITION.items', { status: order.status, allowed: ['CREATED'] })
  return order?.currency
}

/** Adds up an order again after one of its items changed. The order is locked. */
async function retotal(orderId: number, { db, now }: ChangeContext): Promise<void> {
  const names = ['currency', 'total'] as const
  const [order] = await selectFields(db, orders, names, `where "id" = ?${forUpdate(db)}`, [orderId])
  if (!order) return
  const items = await selectFields(db, orderItems, ['quantity', 'unitPrice'], 'where "orderId" = ?', [orderId])
  const amounts = items.map(({ quantity, unitPrice }) => times(unitPrice, quantity))
  const currency = order.currency ?? amounts[0]?.currency
  const total = withinRange('', () => sum(amounts, currency ?? order.total.currency))
  await updateFields(db, orders, { total, currency }, now, '"id" = ?', [orderId])
}
