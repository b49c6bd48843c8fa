import { document, field, type Id, selectFields } from '../engine/index.ts'
import { customers } from './customers.ts'
import examples from './examples.json' with { type: 'json' }
import { orders } from './orders.ts'

const DELIVERY_DAYS = 3
const DAY_MS = 86_400_000

const CARRIER = 'Svc Parcel'

function trackingNumber(orderId: Id): string {
  return `SVC${String(orderId).padStart(10, '0')}`
}

export const tracking = document({
  name: 'tracking',
  path: '/orders/{id}/tracking',
  parent: orders,
  scope: 'orders',
  cache: 'private',
  summary: 'Get the tracking of an order',
  description: 'Returns where the parcel of an order is. Only shipped and delivered orders have tracking.',
  gives: {
    orderId: field.reference().describe('Order that is shipped.'),
    carrier: field.text({ max: 100 }).describe('Company that carries the parcel.'),
    trackingNumber: field.text({ max: 100 }).describe('Number of the parcel.'),
    status: field.choice('IN_TRANSIT', 'DELIVERED').describe('State of the delivery.'),
    estimatedDelivery: field.date().describe('Day on which the parcel is expected.'),
    events: field
      .list(
        field.group({
          timestamp: field.dateTime().describe('When it happened.'),
          location: field.text({ max: 100 }).describe('Where it happened.'),
          description: field.text({ max: 100 }).describe('What happened.'),
        }),
      )
      .describe('Events of the delivery, oldest first.'),
  },
  example: examples.tracking,
  read({ id, shippedAt, deliveredAt }) {
    if (shippedAt === undefined) return undefined
    const events = [{ timestamp: shippedAt, location: 'Warehouse', description: 'Handed to the carrier' }]
    if (deliveredAt !== undefined)
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
})

export const orderLabel = document({
  name: 'label',
  path: '/orders/{id}/label',
  parent: orders,
  scope: 'orders',
  cache: 'private',
  summary: 'Get the parcel label of an order',
  description: 'Returns the label for the parcel of an order, as data or as an image. Paid orders have one.',
  gives: {
    orderId: field.reference().describe('Order that is shipped.'),
    number: field.text({ max: 100 }).describe('Number of the parcel, which is the barcode.'),
    recipient: field.text({ min: 0, max: 200 }).describe('Name of the customer.'),
    email: field.text({ min: 0, max: 254 }).describe('Email address of the customer.'),
    carrier: field.text({ max: 100 }).describe('Company that carries the parcel.'),
    parcels: field.integer({ min: 0, max: 1_000_000 }).describe('Number of pieces in the parcel.'),
  },
  example: examples.label,
  async read({ id, paidAt, cancelledAt, customerId, items }, db) {
    if (paidAt === undefined || cancelledAt !== undefined) return undefined
    const [customer] = await selectFields(db, customers, ['name', 'email'], 'where "id" = ?', [BigInt(customerId)])
    return {
      orderId: id,
      number: trackingNumber(id),
      recipient: customer?.name ?? '',
      email: customer?.email ?? '',
      carrier: CARRIER,
      parcels: items.reduce((sum, { quantity }) => sum + quantity, 0),
    }
  },
})
