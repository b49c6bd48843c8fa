import type { Connection } from '../../database/connection.ts'
import { add, loadMoney, type Money, storeMoney, subtract, zero } from '../../engine/money.ts'
import { DEMO_USERS } from './demo-users.ts'
import { euros } from './euros.ts'
import { insertKept } from './insert.ts'
import type { Random } from './random.ts'

const START_UNITS = 1_000_000
const TRANSFERS = 20

/** An account in euro for every demo user, one in dollars for the customers, and transfers between them. */
export async function seedBanking(db: Connection, random: Random): Promise<void> {
  const owners = [
    ...DEMO_USERS.map((_, at) => ({ userId: at + 1, currency: 'EUR' })),
    ...DEMO_USERS.flatMap(({ role }, at) => (role === 'customer' ? [{ userId: at + 1, currency: 'USD' }] : [])),
  ]
  const balances = owners.map(({ currency }) => loadMoney({ start: START_UNITS, startCurrency: currency }, 'start'))
  const change = (at: number, amount: Money, by: typeof add): void => {
    const balance = balances[at]
    if (balance) balances[at] = by(balance, amount)
  }
  const transfers = Array.from({ length: TRANSFERS }, (_, at) => {
    const from = random.whole(DEMO_USERS.length)
    const to = (from + random.between(1, DEMO_USERS.length - 1)) % DEMO_USERS.length
    const amount = euros(random.between(1, 400) * 100)
    change(from, amount, subtract)
    change(to, amount, add)
    return {
      fromAccountId: from + 1,
      toAccountId: to + 1,
      ...storeMoney('amount', amount),
      reference: `Invoice ${2026_000 + at}`,
      status: 'COMPLETED',
    }
  })
  const accounts = owners.map((owner, at) => ({
    ...owner,
    number: `DE${String(10 + at)}5001${String(at + 1).padStart(14, '0')}`,
    ...storeMoney('balance', balances[at] ?? zero(owner.currency)),
    status: 'OPEN',
  }))
  await insertKept(db, 'accounts', accounts)
  await insertKept(db, 'transfers', transfers)
}
