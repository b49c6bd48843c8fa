import {
  type ChangeContext,
  collection,
  field,
  forUpdate,
  type Money,
  money,
  rejectValue,
  requireOwn,
  selectFields,
  updateFields,
} from '../engine/index.ts'
import { accounts } from './accounts.ts'
import examples from './examples.json' with { type: 'json' }
import { creationTime, LIFTED_BY_ADMINS, MONEY_MOVEMENT } from './rules.ts'

const OWN = 'select "id" from "accounts" where "userId" = ?'

function selectOwner(account: string): string {
  return `select "userId" from "accounts" where "accounts"."id" = "transfers"."${account}"`
}

export const transfers = collection({
  name: 'transfers',
  item: 'transfer',
  description: 'Transfers of money between accounts.',
  example: examples.transfers,
  fields: {
    fromAccountId: field.reference().describe('Account that is debited.'),
    toAccountId: field.reference().describe('Account that is credited.'),
    amount: field.money({ positive: true }).describe('Amount in the currency of both accounts.'),
    fromUserId: field.reference().computed(selectOwner('fromAccountId')).hidden(),
    toUserId: field.reference().computed(selectOwner('toAccountId')).hidden(),
    reference: field.text({ max: 140 }).optional().describe('Text for the owners of both accounts.'),
    status: field.choice('PENDING', 'COMPLETED', 'FAILED').readOnly().describe('State of the transfer.'),
    createdAt: creationTime,
  },
  sort: ['fromAccountId', 'toAccountId', 'amount', 'status', 'createdAt'],
  references: { fromAccountId: 'accounts', toAccountId: 'accounts' },
  owners: { fromAccountId: 'fromUserId', toAccountId: 'toUserId' },
  links: { from: '/accounts/{fromAccountId}', to: '/accounts/{toAccountId}' },
  owner: {
    is: 'userId',
    condition: `"fromAccountId" in (${OWN}) or "toAccountId" in (${OWN})`,
    writeCondition: `"fromAccountId" in (${OWN})`,
    liftedBy: LIFTED_BY_ADMINS,
  },
  ...MONEY_MOVEMENT,
  hooks: {
    async beforeSave(next, _previous, work) {
      await moveMoney(next, work)
      next.status = 'COMPLETED'
    },
  },
})

/**
 * Moves money between two accounts in the transaction of the transfer. Both rows are locked in
 * the order of their ids, so that two transfers in opposite directions cannot deadlock. Only
 * administrators move money of other users.
 */
async function moveMoney(
  { fromAccountId, toAccountId, amount }: { fromAccountId: number; toAccountId: number; amount: Money },
  { db, caller, now }: ChangeContext,
): Promise<void> {
  if (fromAccountId === toAccountId) rejectValue('SAME_ACCOUNT.to', '/toAccountId', { id: fromAccountId })
  const rows = await selectFields(
    db,
    accounts,
    ['id', 'userId', 'status', 'balance'],
    `where "id" in (?, ?) order by "id"${forUpdate(db)}`,
    [fromAccountId, toAccountId],
  )
  const from = rows.find(({ id }) => id === fromAccountId)
  const to = rows.find(({ id }) => id === toAccountId)
  if (!from || !to) throw new Error('an account that the transfer refers to does not exist')
  requireOwn(accounts, from, caller, 'write')
  for (const [account, pointer] of [
    [from, '/fromAccountId'],
    [to, '/toAccountId'],
  ] as const)
    if (account.status !== 'OPEN')
      rejectValue('ACCOUNT_NOT_OPEN.status', pointer, { id: account.id, status: account.status })
  const [{ currency: debited }, { currency: credited }] = [from.balance, to.balance]
  if (debited !== amount.currency || credited !== amount.currency)
    rejectValue('CURRENCY_MISMATCH.accounts', '/amount/currency', { from: debited, to: credited })
  if (money.compare(from.balance, amount) < 0) rejectValue('INSUFFICIENT_FUNDS.balance', '/amount')
  await updateFields(db, accounts, { balance: money.subtract(from.balance, amount) }, now, '"id" = ?', [fromAccountId])
  await updateFields(db, accounts, { balance: money.add(to.balance, amount) }, now, '"id" = ?', [toAccountId])
}
