import { type Document, refuseShape } from '../engine/define.ts'
import { choice, text } from '../engine/fields.ts'
import { optional } from '../engine/modifiers.ts'
import { loadMoney, type Money, zero } from '../engine/money.ts'
import { money } from '../engine/money-field.ts'

/** What is still to be paid for an order, and what was. */
export const orderPayment: Document = {
  name: 'payment',
  path: '/orders/{id}/payment',
  parent: 'orders',
  scope: 'orders',
  cache: 'never',
  async read({ id, status, total }, db) {
    const rows = await db
      .selectFrom('payments')
      .select(['id', 'amount', 'amountCurrency', 'method', 'status', 'createdAt'])
      .where('orderId', '=', id)
      .orderBy('id')
      .execute()
    const payments = rows.map((row) => ({
      id: Number(row['id']),
      amount: loadMoney(row, 'amount'),
      method: row['method'],
      status: row['status'],
      createdAt: row['createdAt'],
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
    scope: 'payments:write',
    idempotency: 'required',
    fields: {
      method: choice('CARD', 'BANK_TRANSFER', 'WALLET'),
      amount: optional(money({ positive: true })),
      token: optional(text({ max: 200 })),
    },
    when: ({ status }) => status === 'CREATED',
    async run({ id, total }, { amount = total, method, token }, { insert }) {
      if (typeof token === 'string' && /^\d{12,19}$/.test(token)) refuseShape('FORMAT.cardNumber', '/token')
      await insert('payments', { orderId: id, amount, method, token })
    },
  },
}
