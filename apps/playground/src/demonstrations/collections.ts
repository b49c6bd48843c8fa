import type { Step } from '../experiment.ts'
import { type Demonstrations, publicly, step } from './steps.ts'

const LIST = '"items":\\[.*"page":\\{'

// An export changes nothing, unlike a transfer.
const EXPORT_LATER: readonly Step[] = [
  step('/employees?size=all', {
    sends: { Prefer: 'respond-async', Accept: 'text/csv' },
    status: 202,
    headers: { location: '/operations/' },
  }),
]

/** The other collections, and what is below their items. */
export const collections: Demonstrations = {
  '2-customer': [step('/customers/1', { body: '"id":1,"name":".+","email":".+@' })],
  '4.1-8': EXPORT_LATER,
  '7-202': EXPORT_LATER,
  '4.1-departments': [step('/departments', { body: LIST })],
  '4.1-projects': [step('/projects', { body: LIST })],
  '4.1-products': [publicly('/products', { body: LIST })],
  '4.1-categories': [publicly('/categories', { body: LIST })],
  '4.1-orders': [
    step('/orders', { body: LIST }),
    step('/orders', {
      method: 'POST',
      sends: { Prefer: 'tx=rollback' },
      status: 201,
      json: { customerId: 1, items: [{ productId: 1, quantity: 2 }] },
      body: '"total":\\{"amount":"\\d+\\.\\d\\d","currency":"EUR"\\}',
    }),
  ],
  '4.1-payments': [step('/payments', { body: LIST })],
  '4.1-cart': [step('/cart', { as: 'carl', body: '"items":\\[' })],
  '4.1-users': [step('/users', { body: LIST })],
  '4.1-accounts': [step('/accounts', { body: LIST })],
  '4.1-transfers': [step('/transfers', { body: LIST })],
  '4.1-customers': [step('/customers', { body: LIST })],
  '4.1-customer-orders': [step('/customers/1/orders', { body: LIST })],
  '4.1-order-items': [step('/orders/1/items', { body: LIST })],
  '4.1-order-tracking': [step('/orders/2/tracking', { body: '"trackingNumber":' })],
  '4.1-order-invoice': [step('/orders/1/invoice', { body: '"number":' })],
  '4.1-product-reviews': [publicly('/products/1/reviews', { body: LIST })],
  '4.1-user-orders': [
    step('/users?username=carl', { keep: { user: 'json /items/0/id' } }),
    step('/users/{user}/orders', { body: LIST }),
  ],
  '4.1-employee-projects': [step('/employees/1/projects', { body: LIST })],
}
