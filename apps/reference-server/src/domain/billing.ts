import { type Connection, document, failure, field, marks, money, selectFields, validate } from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import { lineFields, type OrderLine } from './order-lines.ts'
import { orders } from './orders.ts'
import { paymentMethod, paymentStatus, payments } from './payments.ts'
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
    orderId: field.reference().describe('Order that it belongs to.'),
    due: field.money().describe('Amount that is still to be paid.'),
    status: field.choice('DUE', 'PAID', 'REFUNDED').describe('State of the payment.'),
    payments: field
      .list(
        field.group({
          id: field.reference().describe('Id of the payment.'),
          amount: field.money().describe('Amount that was paid.'),
          method: paymentMethod.describe('How it was paid.'),
          status: paymentStatus.describe('State of the payment.'),
          createdAt: field.dateTime().describe('When it was created.'),
        }),
      )
      .describe('Payments so far, oldest first.'),
  },
  example: examples.payment,
  async read({ id, status, total }, db) {
    const names = ['id', 'amount', 'method', 'status', 'createdAt'] as const
    const rows = await selectFields(db, payments, names, 'where "orderId" = ? order by "id"', [Number(id)])
    const isDue = status === 'CREATED'
    const last = rows.at(-1)?.status
    return {
      orderId: id,
      due: isDue ? total : money.zero(total.currency),
      status: last === 'REFUNDED' ? 'REFUNDED' : last === undefined ? 'DUE' : 'PAID',
      payments: rows,
    }
  },
  post: {
    operationId: 'payOrder',
    summary: 'Pay for an order',
    description: 'Pays the total of a new order. Its status becomes PAID.',
    scope: 'payments:write',
    example: examples.payOrder,
    idempotency: 'required',
    fields: {
      method: paymentMethod.describe('How it is paid.'),
      amount: field.money({ positive: true }).optional().describe('Total of the order, which is the default.'),
      token: field.text({ max: 200 }).optional().describe('Token of a payment provider. Card numbers are rejected.'),
    },
    when: ({ status }) => status === 'CREATED',
    async run({ id, total }, { amount = total, method, token }, { insert }) {
      // The default amount may be zero, and the token a card number.
      const payment = { orderId: id, amount, method, token }
      await insert('payments', validate(payment, { fields: payments.fields, mode: 'create', lenient: false }))
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
  deferrable: true,
  summary: 'Get the invoice of an order',
  description: 'Returns the invoice of a paid order. Prices include the tax.',
  gives: {
    number: field.text({ max: 32 }).describe('Number of the invoice.'),
    orderId: field.reference().describe('Order that is invoiced.'),
    issuedAt: field.dateTime().describe('When it was issued.'),
    lines: field
      .list(
        field.group({
          id: field.reference().optional().describe('Number of the line.'),
          productId: field.reference().describe('Product that was ordered.'),
          name: field.text({ max: 200 }).optional().describe('Name of the product.'),
          quantity: lineFields.quantity,
          unitPrice: field.money().describe('Price of one piece.'),
          lineTotal: field.money().describe('Price of all pieces.'),
        }),
      )
      .describe('Lines of the order.'),
    subtotal: field.money().describe('Total without tax.'),
    tax: field.money().describe('Tax that the total contains.'),
    total: field.money().describe('Total with tax.'),
  },
  example: examples.invoice,
  async read({ id, paidAt, items, total }, db) {
    if (paidAt === undefined) return undefined
    const { net, tax } = money.splitTax(total, TAX_PERCENT)
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
    orderId: field.reference().describe('Order that it belongs to.'),
    status: field.choice('AVAILABLE', 'DONE').describe('Whether the order can be canceled or was canceled.'),
    reason: field.prose({ max: 500 }).optional().describe('Why it was canceled.'),
    cancelledAt: field.dateTime().optional().describe('When it was canceled.'),
  },
  example: examples.cancellation,
  read({ id, status, cancelReason, cancelledAt }) {
    if (status === 'CANCELLED') return { orderId: id, status: 'DONE', reason: cancelReason, cancelledAt }
    return status === 'CREATED' || status === 'PAID' ? { orderId: id, status: 'AVAILABLE' } : undefined
  },
  post: {
    operationId: 'cancelOrder',
    summary: 'Cancel an order',
    description: 'Cancels an order that is not shipped yet. A payment is refunded.',
    scope: 'orders:write',
    fields: { reason: field.prose({ max: 500 }).optional().describe('Why it is canceled.') },
    example: examples.cancelOrder,
    when: ({ status }) => status === 'CREATED' || status === 'PAID',
    async run({ status }, { reason }, { change }) {
      if (status === 'CANCELLED') throw failure('ILLEGAL_TRANSITION.canceled')
      await change({ status: 'CANCELLED', cancelReason: reason })
    },
  },
})
