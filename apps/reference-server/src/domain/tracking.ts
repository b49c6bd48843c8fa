import { group, list } from '../engine/composites.ts'
import type { Document, Id } from '../engine/define.ts'
import { choice, date, moment, reference, text } from '../engine/fields.ts'
import { described } from '../engine/modifiers.ts'

const DELIVERY_DAYS = 3
const DAY_MS = 86_400_000

/** Who carries the parcels. */
export const CARRIER = 'Svc Parcel'

/** The number of the parcel of an order. */
export function trackingNumber(orderId: Id): string {
  return `SVC${String(orderId).padStart(10, '0')}`
}

/** Where a parcel is. */
export const tracking: Document = {
  name: 'tracking',
  path: '/orders/{id}/tracking',
  parent: 'orders',
  scope: 'orders',
  cache: 'private',
  summary: 'Get the tracking of an order',
  description: 'Returns where the parcel of an order is. Only shipped and delivered orders have a tracking.',
  gives: {
    orderId: described(reference(), 'Order that is shipped.'),
    carrier: described(text({ max: 100 }), 'Company that carries the parcel.'),
    trackingNumber: described(text({ max: 100 }), 'Number of the parcel.'),
    status: described(choice('IN_TRANSIT', 'DELIVERED'), 'State of the delivery.'),
    estimatedDelivery: described(date(), 'Day on which the parcel is expected.'),
    events: described(
      list(
        group({
          timestamp: described(moment(), 'When it happened.'),
          location: described(text({ max: 100 }), 'Where it happened.'),
          description: described(text({ max: 100 }), 'What happened.'),
        }),
      ),
      'Events of the delivery, oldest first.',
    ),
  },
  example: {
    orderId: 2,
    carrier: CARRIER,
    trackingNumber: 'SVC0000000002',
    status: 'IN_TRANSIT',
    estimatedDelivery: '2026-01-11',
    events: [{ timestamp: '2026-01-08T20:00:00.000Z', location: 'Warehouse', description: 'Handed to the carrier' }],
  },
  read({ id, shippedAt, deliveredAt }) {
    if (typeof shippedAt !== 'string') return undefined
    const events = [{ timestamp: shippedAt, location: 'Warehouse', description: 'Handed to the carrier' }]
    if (typeof deliveredAt === 'string')
      events.push({ timestamp: deliveredAt, location: 'Customer', description: 'Delivered' })
    return {
      orderId: id,
      carrier: CARRIER,
      trackingNumber: trackingNumber(id),
      status: deliveredAt === undefined ? 'IN_TRANSIT' : 'DELIVERED',
      estimatedDelivery: new Date(Date.parse(shippedAt) + DELIVERY_DAYS * DAY_MS).toISOString().slice(0, 10),
      events,
    }
  },
  links: ({ id }) => ({ order: `/orders/${id}` }),
}
