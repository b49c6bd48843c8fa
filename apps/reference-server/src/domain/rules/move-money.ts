import { forUpdate, TOUCH } from '../../database/connection.ts'
import { type ChangeContext, failure, isConfined, type Lift, noun, refuseValue } from '../../engine/define.ts'
import { add, compare, loadMoney, type Money, storeMoney, subtract } from '../../engine/money.ts'

type AccountRow = { id: number; userId: number; status: string; balance: number; balanceCurrency: string }

export interface Movement {
  fromAccountId: number
  toAccountId: number
  amount: Money
}

/**
 * Moves money from one account to another, in the transaction of the work. Both rows are locked in the order of their
 * ids, so that two transfers in opposite directions never wait for each other. Only `lift` moves money of other users.
 */
export async function moveMoney(
  { fromAccountId, toAccountId, amount }: Movement,
  { db, caller, now }: ChangeContext,
  lift: Lift,
): Promise<void> {
  if (fromAccountId === toAccountId) refuseValue('SAME_ACCOUNT.to', '/toAccountId', { id: fromAccountId })
  const sql = `select "id", "userId", "status", "balance", "balanceCurrency" from "accounts"
    where "id" in (?, ?) order by "id"${forUpdate(db)}`
  const rows = await db.all<AccountRow>(sql, [fromAccountId, toAccountId])
  const from = rows.find(({ id }) => id === fromAccountId)
  const to = rows.find(({ id }) => id === toAccountId)
  if (!from) return refuseUnknown('/fromAccountId', fromAccountId)
  if (!to) return refuseUnknown('/toAccountId', toAccountId)
  if (isConfined(caller, lift) && from.userId !== caller?.userId)
    throw failure('FORBIDDEN.owner', { item: noun('account'), id: fromAccountId })
  for (const [account, pointer] of [
    [from, '/fromAccountId'],
    [to, '/toAccountId'],
  ] as const)
    if (account.status !== 'OPEN')
      refuseValue('ACCOUNT_NOT_OPEN.status', pointer, { id: account.id, status: account.status })
  const [debited, credited] = [loadMoney(from, 'balance'), loadMoney(to, 'balance')]
  if (debited.currency !== amount.currency || credited.currency !== amount.currency)
    refuseValue('CURRENCY_MISMATCH.accounts', '/amount/currency', { from: debited.currency, to: credited.currency })
  if (compare(debited, amount) < 0) refuseValue('INSUFFICIENT_FUNDS.balance', '/amount')
  const update = `update "accounts" set "balance" = ?, "balanceCurrency" = ?, ${TOUCH} where "id" = ?`
  for (const [id, money] of [
    [fromAccountId, subtract(debited, amount)],
    [toAccountId, add(credited, amount)],
  ] as const) {
    const { balance, balanceCurrency } = storeMoney('balance', money)
    await db.run(update, [balance, balanceCurrency, now, id])
  }
}

function refuseUnknown(pointer: string, id: number): never {
  refuseValue('UNKNOWN_REFERENCE.item', pointer, { item: noun('account'), id })
}
