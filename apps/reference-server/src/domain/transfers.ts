import {
  add,
  type ChangeContext,
  choice,
  collection,
  compare,
  computed,
  described,
  failure,
  forUpdate,
  hidden,
  isConfined,
  type Money,
  money,
  noun,
  optional,
  readOnly,
  reference,
  rejectValue,
  selectFields,
  subtract,
  text,
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
    fromAccountId: described(reference(), 'Account that is debited.'),
    toAccountId: described(reference(), 'Account that is credited.'),
    amount: described(money({ positive: true }), 'Amount in the currency of both accounts.'),
    fromUserId: hidden(computed(reference(), selectOwner('fromAccountId'))),
    toUserId: hidden(computed(reference(), selectOwner('toAccountId'))),
    reference: described(optional(text({ max: 140 })), 'Text for the owners of both accounts.'),
    status: described(readOnly(choice('PENDING', 'COMPLETED', 'FAILED')), 'State of the transfer.'),
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

interface Movement {
  fromAccountId: number
  toAccountId: number
  amount: Money
}

/**
 * Moves money between two accounts in the transaction of the transfer. Both rows are locked in
 * the order of their ids, so that two transfers in opposite directions cannot deadlock. Only
 * administrators move money of other users.
 */
async function moveMoney(
  { fromAccountId, toAccountId, amount }: Movement,
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
  if (!from) return rejectUnknown('/fromAccountId', fromAccountId)
  if (!to) return rejectUnknown('/toAccountId', toAccountId)
  if (isConfined(caller, LIFTED_BY_ADMINS.write) && from.userId !== caller?.userId)
    throw failure('FORBIDDEN.owner', { item: noun('account'), id: fromAccountId })
  for (const [account, pointer] of [
    [from, '/fromAccountId'],
    [to, '/toAccountId'],
  ] as const)
    if (account.status !== 'OPEN')
      rejectValue('ACCOUNT_NOT_OPEN.status', pointer, { id: account.id, status: account.status })
  const [{ currency: debited }, { currency: credited }] = [from.balance, to.balance]
  if (debited !== amount.currency || credited !== amount.currency)
    rejectValue('CURRENCY_MISMATCH.accounts', '/amount/currency', { from: debited, to: credited })
  if (compare(from.balance, amount) < 0) rejectValue('INSUFFICIENT_FUNDS.balance', '/amount')
  await updateFields(db, accounts, { balance: subtract(from.balance, amount) }, now, '"id" = ?', [fromAccountId])
  await updateFields(db, accounts, { balance: add(to.balance, amount) }, now, '"id" = ?', [toAccountId])
}

function rejectUnknown(pointer: string, id: number): never {
  rejectValue('UNKNOWN_REFERENCE.item', pointer, { item: noun('account'), id })
}
