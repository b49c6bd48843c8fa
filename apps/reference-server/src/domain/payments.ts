import {
  type ChangeContext,
  collection,
  failure,
  field,
  forUpdate,
  isConfined,
  type Money,
  money,
  noun,
  rejectValue,
  selectFields,
  TOUCH,
  updateFields,
} from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import { orders } from './orders.ts'
import { creationTime, LIFTED_BY_ADMINS, MONEY_MOVEMENT, ORDER_OF_CUSTOMER } from './rules.ts'

export const paymentMethod = field.choice('CARD', 'BANK_TRANSFER', 'WALLET')
export const paymentStatus = field.choice('PENDING', 'SUCCEEDED', 'FAILED', 'REFUNDED')

// Of 12 to 19 digits, which may be in groups.
const NO_CARD_NUMBER = /^(?!\d(?:[ -]*\d){11,18}$)/

/** Payments of orders. A token represents the card; its number never reaches the service. */
export const payments = collection({
  name: 'payments',
  item: 'payment',
  description: 'Payments of orders.',
  example: examples.payments,
  fields: {
    orderId: field.reference().describe('Order that is paid.'),
    amount: field.money({ positive: true }).describe('Amount that was paid: the total of the order.'),
    method: paymentMethod.describe('How it is paid.'),
    token: field
      .text({ max: 200, pattern: NO_CARD_NUMBER, format: 'FORMAT.cardNumber' })
      .optional()
      .describe('Token of a payment provider. Card numbers are rejected.'),
    status: paymentStatus.readOnly().describe('State of the payment.'),
    createdAt: creationTime,
  },
  sort: ['orderId', 'amount', 'method', 'status', 'createdAt'],
  references: { orderId: 'orders' },
  links: { order: '/orders/{orderId}' },
  owner: { is: 'customerId', condition: ORDER_OF_CUSTOMER, liftedBy: LIFTED_BY_ADMINS },
  ...MONEY_MOVEMENT,
  affects: ['orders', 'products'],
  hooks: {
    async beforeSave(next, _previous, work) {
      await payOrder(next, work)
      next.status = 'SUCCEEDED'
    },
  },
})

/** Pays an order in the transaction of the payment. Its products leave the stock. */
async function payOrder({ orderId, amount }: { orderId: number; amount: Money }, work: ChangeContext): Promise<void> {
  const { db, caller, now } = work
  const names = ['customerId', 'status', 'total'] as const
  const [order] = await selectFields(db, orders, names, `where "id" = ?${forUpdate(db)}`, [orderId])
  if (!order) return rejectValue('UNKNOWN_REFERENCE.item', '/orderId', { item: noun('order'), id: orderId })
  if (isConfined(caller, LIFTED_BY_ADMINS.write) && String(order.customerId) !== String(caller?.customerId))
    throw failure('FORBIDDEN.owner', { item: noun('order'), id: orderId })
  if (order.status !== 'CREATED')
    throw failure('ILLEGAL_TRANSITION.pay', { status: order.status, allowed: ['CREATED'] })
  const { total } = order
  if (amount.currency !== total.currency)
    rejectValue('CURRENCY_MISMATCH.order', '/amount/currency', { expected: total.currency })
  if (money.compare(amount, total) !== 0)
    rejectValue('AMOUNT_MISMATCH.total', '/amount', { total: money.format(total) })
  await takeFromStock(orderId, work)
  await updateFields(db, orders, { status: 'PAID', paidAt: now }, now, '"id" = ?', [orderId])
}

async function takeFromStock(orderId: number, { db, now }: ChangeContext): Promise<void> {
  const lines = 'select "productId", "quantity" from "order_items" where "orderId" = ? order by "productId"'
  const take = `update "products" set "stock" = "stock" - ?, ${TOUCH} where "id" = ? and "stock" >= ?`
  for (const { productId, quantity } of await db.all<{ productId: number; quantity: number }>(lines, [orderId]))
    if ((await db.run(take, [quantity, now, productId, quantity])) === 0)
      throw failure('OUT_OF_STOCK.product', { id: productId, quantity })
}
