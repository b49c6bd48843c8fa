import { type Document, failure } from '../engine/define.ts'
import { prose } from '../engine/fields.ts'
import { optional } from '../engine/modifiers.ts'

/** Whether an order can be taken back, or was. */
export const cancellation: Document = {
  name: 'cancellation',
  path: '/orders/{id}/cancellation',
  parent: 'orders',
  scope: 'orders',
  cache: 'private',
  read({ id, status, cancelReason, cancelledAt }) {
    if (status === 'CANCELLED') return { orderId: id, status: 'DONE', reason: cancelReason, cancelledAt }
    return status === 'CREATED' || status === 'PAID' ? { orderId: id, status: 'AVAILABLE' } : undefined
  },
  links: ({ id }) => ({ order: `/orders/${id}` }),
  post: {
    scope: 'orders:write',
    fields: { reason: optional(prose({ max: 500 })) },
    when: ({ status }) => status === 'CREATED' || status === 'PAID',
    async run({ status }, { reason }, { change }) {
      if (status === 'CANCELLED') throw failure('ILLEGAL_TRANSITION.canceled')
      await change({ status: 'CANCELLED', cancelReason: reason })
    },
  },
}
