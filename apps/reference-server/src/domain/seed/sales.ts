import { type Connection, type Money, money, type Stored } from '../../engine/index.ts'
import { DEMO_USERS } from './demo-users.ts'
import { euros, hoursIn, insertDated } from './insert.ts'
import type { Random } from './random.ts'
import words from './words.json' with { type: 'json' }

const ORDERS = 60
const PRICES = words.categories.flatMap(({ cents }) => Object.values(cents).map(euros))
const STATES = ['CREATED', 'PAID', 'SHIPPED', 'DELIVERED', 'CANCELLED'] as const

/** 60 orders in every state, with items and payments. Orders 1, 2, 3 are paid, shipped, new. */
export async function seedSales(db: Connection, random: Random): Promise<void> {
  const orders: Record<string, Stored>[] = []
  const items: Record<string, Stored>[] = []
  const payments: Record<string, Stored>[] = []
  for (let id = 1; id <= ORDERS; id++) {
    const status = id === 1 ? 'PAID' : id === 2 ? 'SHIPPED' : id === 3 ? 'CREATED' : random.pick(STATES)
    // Carl is customer 1 and Cora customer 2: the first orders are theirs.
    const customerId = id <= 3 ? 1 : id <= 6 ? 2 : random.between(1, 40)
    const start = id * 30
    const lineTotals: Money[] = []
    for (let line = random.between(1, 4); line > 0; line--) {
      const productId = random.between(1, PRICES.length)
      const quantity = random.between(1, 3)
      const unitPrice = PRICES[productId - 1] ?? euros(0)
      lineTotals.push(money.times(unitPrice, quantity))
      items.push({ orderId: id, productId, quantity, ...money.toColumns('unitPrice', unitPrice) })
    }
    const { currency } = euros(0)
    const total = money.sum(lineTotals, currency)
    const wasPaid = status !== 'CREATED' && (status !== 'CANCELLED' || id % 2 === 0)
    const isSent = status === 'SHIPPED' || status === 'DELIVERED'
    orders.push({
      customerId,
      status,
      ...money.toColumns('total', total),
      currency,
      paidAt: wasPaid ? hoursIn(start + 1) : null,
      shippedAt: isSent ? hoursIn(start + 24) : null,
      deliveredAt: status === 'DELIVERED' ? hoursIn(start + 72) : null,
      cancelledAt: status === 'CANCELLED' ? hoursIn(start + 2) : null,
      cancelReason: status === 'CANCELLED' ? 'Ordered by mistake' : null,
      createdAt: hoursIn(start),
    })
    if (!wasPaid) continue
    const state = status === 'CANCELLED' ? 'REFUNDED' : 'SUCCEEDED'
    const method = random.pick(['CARD', 'BANK_TRANSFER', 'WALLET'])
    const amount = money.toColumns('amount', total)
    payments.push({ orderId: id, ...amount, method, token: null, status: state, createdAt: hoursIn(start + 1) })
  }
  await insertDated(db, 'orders', orders)
  await insertDated(db, 'order_items', items)
  await insertDated(db, 'payments', payments)
}

const START_UNITS = 1_000_000
const TRANSFERS = 20

/** Accounts in euros for all demo users, in dollars for customers, and transfers between them. */
export async function seedBanking(db: Connection, random: Random): Promise<void> {
  const owners = [
    ...DEMO_USERS.map((_, index) => ({ userId: index + 1, currency: 'EUR' })),
    ...DEMO_USERS.flatMap(({ role }, index) => (role === 'customer' ? [{ userId: index + 1, currency: 'USD' }] : [])),
  ]
  const balances = owners.map(({ currency }) => money.fromUnits(START_UNITS, currency))
  const change = (index: number, amount: Money, by: typeof money.add): void => {
    const balance = balances[index]
    if (balance) balances[index] = by(balance, amount)
  }
  const transfers = Array.from({ length: TRANSFERS }, (_, index) => {
    const from = random.whole(DEMO_USERS.length)
    const to = (from + random.between(1, DEMO_USERS.length - 1)) % DEMO_USERS.length
    const amount = euros(random.between(1, 400) * 100)
    change(from, amount, money.subtract)
    change(to, amount, money.add)
    return {
      fromAccountId: from + 1,
      toAccountId: to + 1,
      ...money.toColumns('amount', amount),
      reference: `Invoice ${2026_000 + index}`,
      status: 'COMPLETED',
    }
  })
  const accounts = owners.map((owner, index) => ({
    ...owner,
    number: `DE${String(10 + index)}5001${String(index + 1).padStart(14, '0')}`,
    ...money.toColumns('balance', balances[index] ?? money.zero(owner.currency)),
    status: 'OPEN',
  }))
  await insertDated(db, 'accounts', accounts)
  await insertDated(db, 'transfers', transfers)
}
