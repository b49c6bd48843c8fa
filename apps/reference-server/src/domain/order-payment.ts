import { group, list } from '../engine/composites.ts'
import { type Document, refuseShape } from '../engine/define.ts'
import { choice, moment, reference, text } from '../engine/fields.ts'
import { described, optional } from '../engine/modifiers.ts'
import { loadMoney, type Money, zero } from '../engine/money.ts'
import { money } from '../engine/money-field.ts'

interface PaymentRow {
  id: number
  amount: number
  amountCurrency: string
  method: string
  status: string
  createdAt: string
}

/** What is still to be paid for an order, and what was. */
export const orderPayment: Document = {
  name: 'payment',
  path: '/orders/{id}/payment',
  parent: 'orders',
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
  example: {
    orderId: 1,
    due: { amount: '0.00', currency: 'EUR' },
    status: 'PAID',
    payments: [
      {
        id: 1,
        amount: { amount: '228.97', currency: 'EUR' },
        method: 'WALLET',
        status: 'SUCCEEDED',
        createdAt: '2026-01-06T15:00:00.000Z',
      },
    ],
  },
  async read({ id, status, total }, db) {
    const sql = `select "id", "amount", "amountCurrency", "method", "status", "createdAt" from "payments"
      where "orderId" = ? order by "id"`
    const rows = await db.all<PaymentRow>(sql, [Number(id)])
    const payments = rows.map(({ amount, amountCurrency, ...row }) => ({
      ...row,
      amount: loadMoney({ amount, amountCurrency }, 'amount'),
    }))
    const isDue = status === 'CREATED'
    const last = payments.at(-1)?.status
    return {
      orderId: id,
      due: isDue ? total : zero((total as Money).currency),
      status: last === 'REFUNDED' ? 'REFUNDED' : last === undefined ? 'DUE' : 'PAID',
      payments,
    }
  },
  links: ({ id }) => ({ order: `/orders/${id}` }),
  post: {
    operationId: 'payOrder',
    summary: 'Pay for an order',
    description: 'Pays the total of a new order. Its status becomes PAID.',
    scope: 'payments:write',
    example: { method: 'CARD', token: 'tok_visa' },
    idempotency: 'required',
    fields: {
      method: described(choice('CARD', 'BANK_TRANSFER', 'WALLET'), 'How it is paid.'),
      amount: described(optional(money({ positive: true })), 'Total of the order, which is the default.'),
      token: described(optional(text({ max: 200 })), 'Token of a payment provider. Card numbers are rejected.'),
    },
    when: ({ status }) => status === 'CREATED',
    async run({ id, total }, { amount = total, method, token }, { insert }) {
      if (typeof token === 'string' && /^\d{12,19}$/.test(token)) refuseShape('FORMAT.cardNumber', '/token')
      await insert('payments', { orderId: id, amount, method, token })
    },
  },
}
