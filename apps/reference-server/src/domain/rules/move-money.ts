import { sql } from 'kysely'
import { lockRows } from '../../database/lock.ts'
import { type ChangeContext, failure, isConfined, type Lift, noun, refuseValue } from '../../engine/define.ts'
import { add, compare, loadMoney, type Money, storeMoney, subtract } from '../../engine/money.ts'

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
  const rows = await lockRows(db, 'accounts', [fromAccountId, toAccountId])
  const from = rows.find(({ id }) => Number(id) === fromAccountId)
  const to = rows.find(({ id }) => Number(id) === toAccountId)
  if (!from) return refuseUnknown('/fromAccountId', fromAccountId)
  if (!to) return refuseUnknown('/toAccountId', toAccountId)
  if (isConfined(caller, lift) && Number(from['userId']) !== caller?.userId)
    throw failure('FORBIDDEN.owner', { item: noun('account'), id: fromAccountId })
  for (const [account, pointer] of [
    [from, '/fromAccountId'],
    [to, '/toAccountId'],
  ] as const)
    if (account['status'] !== 'OPEN')
      refuseValue('ACCOUNT_NOT_OPEN.status', pointer, { id: Number(account['id']), status: String(account['status']) })
  const [debited, credited] = [loadMoney(from, 'balance'), loadMoney(to, 'balance')]
  if (debited.currency !== amount.currency || credited.currency !== amount.currency)
    refuseValue('CURRENCY_MISMATCH.accounts', '/amount/currency', { from: debited.currency, to: credited.currency })
  if (compare(debited, amount) < 0) refuseValue('INSUFFICIENT_FUNDS.balance', '/amount')
  for (const [id, balance] of [
    [fromAccountId, subtract(debited, amount)],
    [toAccountId, add(credited, amount)],
  ] as const)
    await db
      .updateTable('accounts')
      .set({ ...storeMoney('balance', balance), revision: sql`"revision" + 1`, updatedAt: now })
      .where('id', '=', id)
      .execute()
}

function refuseUnknown(pointer: string, id: number): never {
  refuseValue('UNKNOWN_REFERENCE.item', pointer, { item: noun('account'), id })
}
