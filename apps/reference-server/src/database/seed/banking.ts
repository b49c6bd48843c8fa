import type { Db } from '../database.ts'
import { DEMO_USERS } from './demo-users.ts'
import { insertKept } from './insert.ts'
import type { Random } from './random.ts'

const START_BALANCE = 1_000_000
const TRANSFERS = 20

/** An account in euro for every demo user, one in dollars for the customers, and transfers between them. */
export async function seedBanking(db: Db, random: Random): Promise<void> {
  const owners = [
    ...DEMO_USERS.map((_, at) => ({ userId: at + 1, currency: 'EUR' })),
    ...DEMO_USERS.flatMap(({ role }, at) => (role === 'customer' ? [{ userId: at + 1, currency: 'USD' }] : [])),
  ]
  const balances = owners.map(() => START_BALANCE)
  const transfers = Array.from({ length: TRANSFERS }, (_, at) => {
    const from = random.whole(DEMO_USERS.length)
    const to = (from + random.between(1, DEMO_USERS.length - 1)) % DEMO_USERS.length
    const amount = random.between(1, 400) * 100
    balances[from] = (balances[from] ?? 0) - amount
    balances[to] = (balances[to] ?? 0) + amount
    return {
      fromAccountId: from + 1,
      toAccountId: to + 1,
      amount,
      amountCurrency: 'EUR',
      reference: `Invoice ${2026_000 + at}`,
      status: 'COMPLETED',
    }
  })
  const accounts = owners.map((owner, at) => ({
    ...owner,
    number: `DE${String(10 + at)}5001${String(at + 1).padStart(14, '0')}`,
    balance: balances[at] ?? 0,
    balanceCurrency: owner.currency,
    status: 'OPEN',
  }))
  await insertKept(db, 'accounts', accounts)
  await insertKept(db, 'transfers', transfers)
}
