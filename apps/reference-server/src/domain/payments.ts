import { collection } from '../engine/define.ts'
import { choice, moment, reference, text } from '../engine/fields.ts'
import { optional, readOnly } from '../engine/modifiers.ts'
import { money } from '../engine/money-field.ts'
import { FOR_GOOD } from './rules/for-good.ts'
import { payOrder } from './rules/pay-order.ts'

const liftedBy = { read: { roles: ['admin', 'staff', 'reader'] }, write: { roles: ['admin'] } } as const

/** Payments of orders. The token stands for a card; its number never comes here. */
export const payments = collection({
  name: 'payments',
  item: 'payment',
  fields: {
    orderId: reference(),
    amount: money({ positive: true }),
    method: choice('CARD', 'BANK_TRANSFER', 'WALLET'),
    token: optional(text({ max: 200, pattern: /^(?!\d{12,19}$).*$/ })),
    status: readOnly(choice('PENDING', 'SUCCEEDED', 'FAILED', 'REFUNDED')),
    createdAt: readOnly(moment()),
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
