import type { Document } from '../engine/define.ts'
import { CARRIER, trackingNumber } from './tracking.ts'

/** What is stuck on the parcel of an order, from its payment on. */
export const orderLabel: Document = {
  name: 'label',
  path: '/orders/{id}/label',
  parent: 'orders',
  scope: 'orders',
  cache: 'private',
  async read({ id, paidAt, cancelledAt, customerId, items }, db) {
    if (typeof paidAt !== 'string' || typeof cancelledAt === 'string') return undefined
    const customer = await db
      .selectFrom('customers')
      .select(['name', 'email'])
      .where('id', '=', BigInt(String(customerId)))
      .executeTakeFirst()
    return {
      orderId: id,
      number: trackingNumber(id),
      recipient: String(customer?.['name'] ?? ''),
      email: String(customer?.['email'] ?? ''),
      carrier: CARRIER,
      parcels: (items as readonly { quantity: number }[]).reduce((sum, { quantity }) => sum + quantity, 0),
    }
  },
  links: ({ id }) => ({ order: `/orders/${id}` }),
}
