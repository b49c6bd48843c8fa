import {
  type ChangeContext,
  collection,
  failure,
  field,
  type Id,
  type LinkContext,
  requireScope,
  TOUCH,
} from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import { addLines, loadLines, type OrderLine, orderLines, priceLines, sameLines } from './order-lines.ts'
import { creationTime, LIFTED_BY_STAFF } from './rules.ts'

export const ORDER_STATES = ['CREATED', 'PAID', 'SHIPPED', 'DELIVERED', 'CANCELLED'] as const

type OrderState = (typeof ORDER_STATES)[number]

/** States that clients can set, by the current state. PAID follows from a payment. */
const NEXT: Readonly<Record<OrderState, readonly OrderState[]>> = {
  CREATED: ['CANCELLED'],
  PAID: ['SHIPPED', 'CANCELLED'],
  SHIPPED: ['DELIVERED'],
  DELIVERED: [],
  CANCELLED: [],
}

const DELETABLE: readonly OrderState[] = ['CREATED', 'CANCELLED']

const WRITE = 'orders:write'
const FULFIL = 'orders:fulfil'

/** Shows a link in some states, each with the scopes that following it needs then. */
function inStates(scopes: Readonly<Partial<Record<OrderState, readonly string[]>>>) {
  return ({ status }: { status: OrderState }, { can }: LinkContext): boolean => scopes[status]?.every(can) ?? false
}

/** Orders of customers. The links of an order follow from its state. */
export const orders = collection({
  name: 'orders',
  item: 'order',
  description: 'Orders of customers, from creation to delivery.',
  example: examples.orders,
  fields: {
    customerId: field.longReference().createOnly().describe('Customer who placed the order.'),
    status: field
      .choice(...ORDER_STATES)
      .updateOnly()
      .describe('State of the order: CREATED, then PAID, SHIPPED and DELIVERED, or CANCELLED.'),
    items: orderLines.withoutColumn().describe('Lines of the order.'),
    total: field.money().readOnly().describe('Sum of all lines.'),
    // That of its first line, from then on: the total of an order without lines does not say.
    currency: field.text({ max: 3 }).optional().hidden(),
    paidAt: field.dateTime().hidden(),
    shippedAt: field.dateTime().hidden(),
    deliveredAt: field.dateTime().hidden(),
    cancelledAt: field.dateTime().hidden(),
    cancelReason: field.prose({ max: 500 }).hidden(),
    createdAt: creationTime,
    updatedAt: field.dateTime().readOnly().describe('When it was last changed.'),
  },
  sort: ['customerId', 'status', 'total', 'createdAt', 'updatedAt'],
  references: { customerId: 'customers' },
  owner: { field: 'customerId', is: 'customerId', liftedBy: LIFTED_BY_STAFF },
  nestedPaths: [
    { path: '/customers/{customerId}/orders', parent: 'customers', methods: ['GET', 'POST'] },
    {
      path: '/users/{userId}/orders',
      parent: 'users',
      condition: '"customerId" = (select "customerId" from "users" where "id" = ?)',
      methods: ['GET'],
    },
  ],
  links: {
    update: { href: '/orders/{id}', when: inStates({ CREATED: [WRITE], PAID: [WRITE], SHIPPED: [WRITE, FULFIL] }) },
    delete: { href: '/orders/{id}', when: inStates({ CREATED: [WRITE], CANCELLED: [WRITE] }) },
    cancel: { href: '/orders/{id}/cancellation', when: inStates({ CREATED: [WRITE], PAID: [WRITE] }) },
    payment: { href: '/orders/{id}/payment', when: inStates({ CREATED: ['payments:write'] }) },
    invoice: { href: '/orders/{id}/invoice', when: ({ paidAt }) => paidAt !== undefined },
    tracking: { href: '/orders/{id}/tracking', when: inStates({ SHIPPED: [], DELIVERED: [] }) },
  },
  usedBy: [{ table: 'payments', column: 'orderId' }],
  affects: ['products'],
  cache: 'private',
  hooks: {
    load: loadLines,
    async beforeSave(next, previous, work) {
      const before = previous?.items ?? []
      if (previous && !sameLines(next.items, before) && previous.status !== 'CREATED')
        throw failure('ILLEGAL_TRANSITION.items', { status: previous.status, allowed: ['CREATED'] })
      if (previous && sameLines(next.items, before)) {
        // Each line keeps the price it was ordered at, also two of one product.
        Object.assign(next, { items: before, total: previous.total, currency: previous.currency })
      } else {
        const priced = await priceLines(work.db, next.items, { before, currency: previous?.currency })
        next.items = priced.lines
        next.total = priced.total
        next.currency = priced.currency
      }
      next.status ??= previous?.status ?? 'CREATED'
      if (previous && next.status !== previous.status) enterState(next, previous.status, work)
    },
    afterSave(order, previous, work) {
      return previous ? change(order, previous, work) : addLines(order.id, order.items, work)
    },
    beforeDelete({ status }) {
      if (!DELETABLE.includes(status)) throw failure('ILLEGAL_TRANSITION.delete', { status, allowed: DELETABLE })
    },
  },
})

interface Change {
  id: Id
  status: OrderState
  items: OrderLine[]
}

/** Writes the lines that a change replaced. A canceled order returns the money and the goods. */
async function change({ id, status, items }: Change, previous: Change, work: ChangeContext) {
  const { db, now } = work
  if (previous.status === 'PAID' && status === 'CANCELLED') {
    const refund = `update "payments" set "status" = 'REFUNDED', ${TOUCH}
      where "orderId" = ? and "status" in ('PENDING', 'SUCCEEDED')`
    await db.run(refund, [now, Number(id)])
    // Rows are locked in the order in which a payment locks them.
    for (const { productId, quantity } of items.toSorted((a, b) => a.productId - b.productId))
      await db.run(`update "products" set "stock" = "stock" + ?, ${TOUCH} where "id" = ?`, [quantity, now, productId])
  }
  if (sameLines(items, previous.items)) return { items: previous.items }
  await db.run('delete from "order_items" where "orderId" = ?', [Number(id)])
  return addLines(id, items, work)
}

interface Dated {
  status: OrderState
  shippedAt?: string | undefined
  deliveredAt?: string | undefined
  cancelledAt?: string | undefined
}

/** Sets the time at which an order entered its state. Throws a 409 if it cannot follow `from`. */
function enterState(order: Dated, from: OrderState, { caller, now }: ChangeContext): void {
  const to = order.status
  const allowed = NEXT[from]
  if (allowed.length === 0) throw failure('ILLEGAL_TRANSITION.final', { from, to })
  if (!allowed.includes(to))
    throw failure(from === 'CREATED' ? 'ILLEGAL_TRANSITION.toOrPay' : 'ILLEGAL_TRANSITION.to', { from, to, allowed })
  if (to === 'SHIPPED' || to === 'DELIVERED') requireScope(caller, FULFIL)
  if (to === 'SHIPPED') order.shippedAt = now
  else if (to === 'DELIVERED') order.deliveredAt = now
  else order.cancelledAt = now
}
