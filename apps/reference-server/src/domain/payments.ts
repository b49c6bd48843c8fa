import { collection } from '../engine/define.ts'
import { choice, moment, reference, text } from '../engine/fields.ts'
import { described, optional, readOnly } from '../engine/modifiers.ts'
import { money } from '../engine/money-field.ts'
import { FOR_GOOD } from './rules/for-good.ts'
import { payOrder } from './rules/pay-order.ts'

const liftedBy = { read: { roles: ['admin', 'staff', 'reader'] }, write: { roles: ['admin'] } } as const

/** Payments of orders. The token stands for a card; its number never comes here. */
export const payments = collection({
  name: 'payments',
  item: 'payment',
  description: 'Payments of orders.',
  example: {
    id: 1,
    orderId: 1,
    amount: { amount: '228.97', currency: 'EUR' },
    method: 'WALLET',
    status: 'SUCCEEDED',
    createdAt: '2026-01-06T15:00:00.000Z',
  },
  fields: {
    orderId: described(reference(), 'Order that is paid.'),
    amount: described(money({ positive: true }), 'Amount that was paid: the total of the order.'),
    method: described(choice('CARD', 'BANK_TRANSFER', 'WALLET'), 'How it is paid.'),
    token: described(
      optional(text({ max: 200, pattern: /^(?!\d{12,19}$).*$/ })),
      'Token of a payment provider. Card numbers are rejected.',
    ),
    status: described(readOnly(choice('PENDING', 'SUCCEEDED', 'FAILED', 'REFUNDED')), 'State of the payment.'),
    createdAt: described(readOnly(moment()), 'When it was created.'),
  },
  sort: ['orderId', 'amount', 'method', 'status', 'createdAt'],
  filters: ['orderId', 'amount', 'method', 'status', 'createdAt'],
  references: { orderId: 'orders' },
  links: { order: '/orders/{orderId}' },
  owner: {
    is: 'customerId',
    condition: '"orderId" in (select "id" from "orders" where "customerId" = ?)',
    liftedBy,
  },
  ...FOR_GOOD,
  affects: ['orders', 'products'],
  hooks: {
    async prepare(next, _previous, work) {
      await payOrder(next, work, liftedBy.write)
      next.status = 'SUCCEEDED'
    },
  },
})
