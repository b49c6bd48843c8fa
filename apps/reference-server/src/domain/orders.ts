import { collection, failure } from '../engine/define.ts'
import { choice, longReference, moment, prose, text } from '../engine/fields.ts'
import { apart, changeable, fixed, hidden, optional, readOnly } from '../engine/modifiers.ts'
import { money } from '../engine/money-field.ts'
import { refund } from './rules/order-cancel.ts'
import { loadLines, orderLines, type PricedLine, priceLines, sameLines, saveLines } from './rules/order-lines.ts'
import { canLeave, enterState, ORDER_STATES, type OrderState } from './rules/order-states.ts'

const isIn = (status: OrderState, ...states: readonly OrderState[]): boolean => states.includes(status)

const DELETABLE = ['CREATED', 'CANCELLED'] as const

/** What customers buy. Which links an order has follows from its state. */
export const orders = collection({
  name: 'orders',
  item: 'order',
  fields: {
    customerId: fixed(longReference()),
    status: changeable(choice(...ORDER_STATES)),
    items: apart(orderLines),
    total: readOnly(money()),
    // That of its first line, from then on: the total of an order without lines does not say.
    currency: hidden(optional(text({ max: 3 }))),
    paidAt: hidden(moment()),
    shippedAt: hidden(moment()),
    deliveredAt: hidden(moment()),
    cancelledAt: hidden(moment()),
    cancelReason: hidden(prose({ max: 500 })),
    createdAt: readOnly(moment()),
    updatedAt: readOnly(moment()),
  },
  sort: ['customerId', 'status', 'total', 'createdAt', 'updatedAt'],
  filters: ['customerId', 'status', 'total', 'createdAt', 'updatedAt'],
  references: { customerId: 'customers' },
  owner: {
    field: 'customerId',
    is: 'customerId',
    liftedBy: { read: { roles: ['admin', 'staff', 'reader'] }, write: { roles: ['admin', 'staff'] } },
  },
  views: [
    { path: '/customers/{customerId}/orders', parent: 'customers', methods: ['GET', 'POST'] },
    {
      path: '/users/{userId}/orders',
      parent: 'users',
      condition: '"customerId" = (select "customerId" from "users" where "id" = ?)',
      methods: ['GET'],
    },
  ],
  links: {
    update: {
      href: '/orders/{id}',
      when: ({ status }, { can }) => canLeave(status, can) && can('orders:write'),
    },
    delete: {
      href: '/orders/{id}',
      when: ({ status }, { can }) => isIn(status, 'CREATED', 'CANCELLED') && can('orders:write'),
    },
    cancel: {
      href: '/orders/{id}/cancellation',
      when: ({ status }, { can }) => isIn(status, 'CREATED', 'PAID') && can('orders:write'),
    },
    payment: {
      href: '/orders/{id}/payment',
      when: ({ status }, { can }) => status === 'CREATED' && can('payments:write'),
    },
    invoice: { href: '/orders/{id}/invoice', when: ({ paidAt }) => paidAt !== undefined },
    tracking: { href: '/orders/{id}/tracking', when: ({ status }) => isIn(status, 'SHIPPED', 'DELIVERED') },
  },
  usedBy: [{ table: 'payments', column: 'orderId' }],
  affects: ['products'],
  cache: 'private',
  hooks: {
    load: loadLines,
    async prepare(next, previous, work) {
      const before = previous?.items ?? []
      if (previous && !sameLines(next.items, before) && previous.status !== 'CREATED')
        throw failure('ILLEGAL_TRANSITION.items', { status: previous.status, allowed: ['CREATED'] })
      const priced = await priceLines(work.db, next.items, { before, currency: previous?.currency })
      next.items = priced.lines
      next.total = priced.total
      next.currency = priced.currency
      next.status ??= previous?.status ?? 'CREATED'
      if (previous && next.status !== previous.status) enterState(next, previous.status, work)
    },
    async saved(order, previous, { db, now }) {
      if (!previous || !sameLines(order.items, previous.items))
        await saveLines(db, order.id, order.items as PricedLine[], now)
      if (previous?.status === 'PAID' && order.status === 'CANCELLED') await refund(db, order.id, order.items, now)
    },
    removing({ status }) {
      if (isIn(status, ...DELETABLE)) return
      throw failure('ILLEGAL_TRANSITION.delete', { status, allowed: DELETABLE })
    },
  },
})
