import { collection, refuseTaken } from '../engine/define.ts'
import { email, text } from '../engine/fields.ts'
import { described, hidden } from '../engine/modifiers.ts'
import { nextCustomerId, takeCustomerId } from './customer-ids.ts'

/** Who buys: the same customers that the SOAP service knows. */
export const customers = collection({
  name: 'customers',
  item: 'customer',
  description: 'Customers who place orders. The SOAP service manages the same ones.',
  example: { id: 1, name: 'Carl Customer', email: 'carl@example.com' },
  fields: {
    name: described(text({ max: 200 }), 'Name of the customer.'),
    email: described(email(), 'Email address, unique among customers.'),
    phone: hidden(text({ max: 100 })),
  },
  sort: ['name', 'email'],
  filters: ['name', 'email'],
  links: { orders: '/customers/{id}/orders' },
  owner: {
    field: 'id',
    is: 'customerId',
    liftedBy: { read: { roles: ['admin', 'staff', 'reader'] }, write: { roles: ['admin', 'staff'] } },
  },
  usedBy: [
    { table: 'orders', column: 'customerId' },
    { table: 'users', column: 'customerId' },
  ],
  cache: 'private',
  longIds: true,
  hooks: {
    async prepare(next, previous, { db }) {
      if (previous) return
      if (next.id === 0) next.id = await nextCustomerId(db)
      else if (!(await takeCustomerId(db, next.id))) refuseTaken('customer', 'id')
    },
  },
})
