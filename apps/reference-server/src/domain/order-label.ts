import type { Document } from '../engine/define.ts'
import { integer, reference, text } from '../engine/fields.ts'
import { described } from '../engine/modifiers.ts'
import { CARRIER, trackingNumber } from './tracking.ts'

/** What is stuck on the parcel of an order, from its payment on. */
export const orderLabel: Document = {
  name: 'label',
  path: '/orders/{id}/label',
  parent: 'orders',
  scope: 'orders',
  cache: 'private',
  summary: 'Get the parcel label of an order',
  description: 'Returns the label for the parcel of an order, as data or as an image. Paid orders have one.',
  gives: {
    orderId: described(reference(), 'Order that is shipped.'),
    number: described(text({ max: 100 }), 'Number of the parcel, which is the barcode.'),
    recipient: described(text({ min: 0, max: 200 }), 'Name of the customer.'),
    email: described(text({ min: 0, max: 254 }), 'Email address of the customer.'),
    carrier: described(text({ max: 100 }), 'Company that carries the parcel.'),
    parcels: described(integer({ min: 0, max: 1_000_000 }), 'Number of pieces in the parcel.'),
  },
  example: {
    orderId: 1,
    number: 'SVC0000000001',
    recipient: 'Carl Customer',
    email: 'carl@example.com',
    carrier: CARRIER,
    parcels: 4,
  },
  async read({ id, paidAt, cancelledAt, customerId, items }, db) {
    if (typeof paidAt !== 'string' || typeof cancelledAt === 'string') return undefined
    const sql = 'select "name", "email" from "customers" where "id" = ?'
    const customer = await db.get<{ name: string; email: string }>(sql, [BigInt(String(customerId))])
    return {
      orderId: id,
      number: trackingNumber(id),
      recipient: customer?.name ?? '',
      email: customer?.email ?? '',
      carrier: CARRIER,
      parcels: (items as readonly { quantity: number }[]).reduce((sum, { quantity }) => sum + quantity, 0),
    }
  },
  links: ({ id }) => ({ order: `/orders/${id}` }),
}
