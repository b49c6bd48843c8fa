import { choice, described, document, failure, moment, optional, prose, reference } from '../engine/index.ts'
import { orders } from './orders.ts'

/** Whether an order can be taken back, or was. */
export const cancellation = document({
  name: 'cancellation',
  path: '/orders/{id}/cancellation',
  parent: orders,
  scope: 'orders',
  cache: 'private',
  summary: 'Get the cancellation of an order',
  description: 'Returns whether an order can be canceled, or was. Shipped and delivered orders have no cancellation.',
  gives: {
    orderId: described(reference(), 'Order that it belongs to.'),
    status: described(choice('AVAILABLE', 'DONE'), 'Whether the order can be canceled or was canceled.'),
    reason: described(optional(prose({ max: 500 })), 'Why it was canceled.'),
    cancelledAt: described(optional(moment()), 'When it was canceled.'),
  },
  example: { orderId: 1, status: 'AVAILABLE' },
  read({ id, status, cancelReason, cancelledAt }) {
    if (status === 'CANCELLED') return { orderId: id, status: 'DONE', reason: cancelReason, cancelledAt }
    return status === 'CREATED' || status === 'PAID' ? { orderId: id, status: 'AVAILABLE' } : undefined
  },
  links: ({ id }) => ({ order: `/orders/${id}` }),
  post: {
    operationId: 'cancelOrder',
    summary: 'Cancel an order',
    description: 'Cancels an order that is not shipped yet. A payment is refunded.',
    scope: 'orders:write',
    fields: { reason: described(optional(prose({ max: 500 })), 'Why it is canceled.') },
    example: { reason: 'Ordered by mistake' },
    when: ({ status }) => status === 'CREATED' || status === 'PAID',
    async run({ status }, { reason }, { change }) {
      if (status === 'CANCELLED') throw failure('ILLEGAL_TRANSITION.canceled')
      await change({ status: 'CANCELLED', cancelReason: reason })
    },
  },
})
