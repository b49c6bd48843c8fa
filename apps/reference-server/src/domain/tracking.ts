import type { Document, Id } from '../engine/define.ts'

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
