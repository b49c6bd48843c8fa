import { type Connection, collection, duplicate, field, type Id, insertRows } from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import { LIFTED_BY_STAFF } from './rules.ts'

/** Only SOAP clients send and see it. */
export const phone = field.text({ max: 100 })

export const customers = collection({
  name: 'customers',
  item: 'customer',
  description: 'Customers who place orders. The SOAP service manages the same ones.',
  example: examples.customers,
  fields: {
    name: field.text({ max: 200 }).describe('Name of the customer.'),
    email: field.email().describe('Email address, unique among customers.'),
    phone: phone.hidden(),
  },
  sort: ['name', 'email'],
  links: { orders: '/customers/{id}/orders' },
  owner: { field: 'id', is: 'customerId', liftedBy: LIFTED_BY_STAFF },
  usedBy: [
    { table: 'orders', column: 'customerId' },
    { table: 'users', column: 'customerId' },
  ],
  cache: 'private',
  longIds: true,
  hooks: {
    async beforeSave(next, previous, { db }) {
      if (previous) return
      if (next.id === 0) next.id = await nextCustomerId(db)
      else if (!(await takeCustomerId(db, next.id))) throw duplicate('customer', 'id')
    },
  },
})

/** The greatest 64-bit integer, which has no successor. */
const MAX_ID = '9223372036854775807'

/** Takes a customer id that no one has or ever had: the next one that no client brought. */
async function nextCustomerId(db: Connection): Promise<Id> {
  for (;;) {
    const row = await db.get<{ id: number }>(`
      insert into "customer_ids" ("id", "brought")
      select coalesce(min("taken"."id"), 0) + 1, 0 from "customer_ids" as "taken"
      where "taken"."id" < ${MAX_ID} and "taken"."id" >= coalesce((select max("id") from "customer_ids" where "brought" = 0), 0)
        and not exists (select 1 from "customer_ids" as "after" where "after"."id" - 1 = "taken"."id")
      on conflict do nothing returning "id"`)
    if (row) return row.id
  }
}

/** Takes an id that a client brought. Returns `false` if a customer has or had it. */
async function takeCustomerId(db: Connection, id: Id): Promise<boolean> {
  return (await insertRows(db, 'customer_ids', [{ id: BigInt(id), brought: 1 }], { orIgnore: true })) === 1
}
