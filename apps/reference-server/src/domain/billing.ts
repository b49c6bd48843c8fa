import {
  type Connection,
  choice,
  described,
  document,
  failure,
  group,
  integer,
  list,
  marks,
  moment,
  money,
  optional,
  prose,
  reference,
  rejectSyntax,
  selectFields,
  splitTax,
  text,
  zero,
} from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import type { OrderLine } from './order-lines.ts'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import { products } from './products.ts'

export const orderPayment = document({
  name: 'payment',
  path: '/orders/{id}/payment',
  parent: orders,
  scope: 'orders',
  cache: 'never',
  summary: 'Get the payment of an order',
  description: 'Returns what is due for an order, and its payments.',
  gives: {
    orderId: described(reference(), 'Order that it belongs to.'),
    due: described(money(), 'Amount that is still to be paid.'),
    status: described(choice('DUE', 'PAID', 'REFUNDED'), 'State of the payment.'),
    payments: described(
      list(
        group({
          id: described(reference(), 'Id of the payment.'),
          amount: described(money(), 'Amount that was paid.'),
          method: described(choice('CARD', 'BANK_TRANSFER', 'WALLET'), 'How it was paid.'),
          status: described(choice('PENDING', 'SUCCEEDED', 'FAILED', 'REFUNDED'), 'State of the payment.'),
          createdAt: described(moment(), 'When it was created.'),
        }),
      ),
      'Payments so far, oldest first.',
    ),
  },
  example: examples.payment,
  async read({ id, status, total }, db) {
    const names = ['id', 'amount', 'method', 'status', 'createdAt'] as const
    const rows = await selectFields(db, payments, names, 'where "orderId" = ? order by "id"', [Number(id)])
    const isDue = status === 'CREATED'
    const last = rows.at(-1)?.status
    return {
      orderId: id,
      due: isDue ? total : zero(total.currency),
      status: last === 'REFUNDED' ? 'REFUNDED' : last === undefined ? 'DUE' : 'PAID',
      payments: rows,
    }
  },
  links: ({ id }) => ({ order: `/orders/${id}` }),
  post: {
    operationId: 'payOrder',
    summary: 'Pay for an order',
    description: 'Pays the total of a new order. Its status becomes PAID.',
    scope: 'payments:write',
    example: examples.payOrder,
    idempotency: 'required',
    fields: {
      method: described(choice('CARD', 'BANK_TRANSFER', 'WALLET'), 'How it is paid.'),
      amount: described(optional(money({ positive: true })), 'Total of the order, which is the default.'),
      token: described(optional(text({ max: 200 })), 'Token of a payment provider. Card numbers are rejected.'),
    },
    when: ({ status }) => status === 'CREATED',
    async run({ id, total }, { amount = total, method, token }, { insert }) {
      if (token !== undefined && /^\d{12,19}$/.test(token)) rejectSyntax('FORMAT.cardNumber', '/token')
      await insert('payments', { orderId: id, amount, method, token })
    },
  },
})

const TAX_PERCENT = 19

export const invoice = document({
  name: 'invoice',
  path: '/orders/{id}/invoice',
  parent: orders,
  scope: 'orders',
  cache: 'private',
  groups: ['products'],
  summary: 'Get the invoice of an order',
  description: 'Returns the invoice of a paid order. Prices include the tax.',
  gives: {
    number: described(text({ max: 32 }), 'Number of the invoice.'),
    orderId: described(reference(), 'Order that is invoiced.'),
    issuedAt: described(moment(), 'When it was issued.'),
    lines: described(
      list(
        group({
          id: described(optional(reference()), 'Number of the line.'),
          productId: described(reference(), 'Product that was ordered.'),
          name: described(optional(text({ max: 200 })), 'Name of the product.'),
          quantity: described(integer({ min: 1, max: 999 }), 'Number of pieces.'),
          unitPrice: described(money(), 'Price of one piece.'),
          lineTotal: described(money(), 'Price of all pieces.'),
        }),
      ),
      'Lines of the order.',
    ),
    subtotal: described(money(), 'Total without tax.'),
    tax: described(money(), 'Tax that the total contains.'),
    total: described(money(), 'Total with tax.'),
  },
  example: examples.invoice,
  async read({ id, paidAt, items, total }, db) {
    if (paidAt === undefined) return undefined
    const { net, tax } = splitTax(total, TAX_PERCENT)
    return {
      number: `${paidAt.slice(0, 4)}-${String(id).padStart(6, '0')}`,
      orderId: id,
      issuedAt: paidAt,
      lines: await namedLines(items, db),
      subtotal: net,
      tax,
      total,
    }
  },
  links: ({ id }) => ({ order: `/orders/${id}` }),
})

async function namedLines(lines: readonly OrderLine[], db: Connection): Promise<object[]> {
  const ids = lines.map(({ productId }) => productId)
  const rows = await selectFields(db, products, ['id', 'name'], `where "id" in (${marks(ids)})`, ids)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return lines.map(({ productId, ...line }) => ({ productId, name: names.get(productId), ...line }))
}

export const cancellation = document({
  name: 'cancellation',
  path: '/orders/{id}/cancellation',
  parent: orders,
  scope: 'orders',
  cache: 'private',
  summary: 'Get the cancellation of an order',
  description: 'Returns whether an order can be canceled, or was. Shipped and delivered orders have no cancellation.',
  gives: {
    orderId: described(reference(), 'Order that it belongs to.'),
    status: described(choice('AVAILABLE', 'DONE'), 'Whether the order can be canceled or was canceled.'),
    reason: described(optional(prose({ max: 500 })), 'Why it was canceled.'),
    cancelledAt: described(optional(moment()), 'When it was canceled.'),
  },
  example: examples.cancellation,
  read({ id, status, cancelReason, cancelledAt }) {
    if (status === 'CANCELLED') return { orderId: id, status: 'DONE', reason: cancelReason, cancelledAt }
    return status === 'CREATED' || status === 'PAID' ? { orderId: id, status: 'AVAILABLE' } : undefined
  },
  links: ({ id }) => ({ order: `/orders/${id}` }),
  post: {
    operationId: 'cancelOrder',
    summary: 'Cancel an order',
    description: 'Cancels an order that is not shipped yet. A payment is refunded.',
    scope: 'orders:write',
    fields: { reason: described(optional(prose({ max: 500 })), 'Why it is canceled.') },
    example: examples.cancelOrder,
    when: ({ status }) => status === 'CREATED' || status === 'PAID',
    async run({ status }, { reason }, { change }) {
      if (status === 'CANCELLED') throw failure('ILLEGAL_TRANSITION.canceled')
      await change({ status: 'CANCELLED', cancelReason: reason })
    },
  },
})
