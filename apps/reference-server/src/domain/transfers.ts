import { collection } from '../engine/define.ts'
import { choice, moment, reference, text } from '../engine/fields.ts'
import { computed, described, hidden, optional, readOnly } from '../engine/modifiers.ts'
import { money } from '../engine/money-field.ts'
import { FOR_GOOD } from './rules/for-good.ts'
import { moveMoney } from './rules/move-money.ts'

const liftedBy = { read: { roles: ['admin', 'staff', 'reader'] }, write: { roles: ['admin'] } } as const

const OWN = 'select "id" from "accounts" where "userId" = ?'

function ownerOf(account: string): string {
  return `select "userId" from "accounts" where "accounts"."id" = "transfers"."${account}"`
}

/** Money on its way from one account to another. */
export const transfers = collection({
  name: 'transfers',
  item: 'transfer',
  description: 'Transfers of money between accounts.',
  example: {
    id: 1,
    fromAccountId: 1,
    toAccountId: 5,
    amount: { amount: '273.00', currency: 'EUR' },
    fromUserId: 1,
    reference: 'Invoice 2026000',
    status: 'COMPLETED',
    createdAt: '2026-01-05T08:00:00.000Z',
  },
  fields: {
    fromAccountId: described(reference(), 'Account that is debited.'),
    toAccountId: described(reference(), 'Account that is credited.'),
    amount: described(money({ positive: true }), 'Amount in the currency of both accounts.'),
    fromUserId: hidden(computed(reference(), ownerOf('fromAccountId'))),
    toUserId: hidden(computed(reference(), ownerOf('toAccountId'))),
    reference: described(optional(text({ max: 140 })), 'Text for the owners of both accounts.'),
    status: described(readOnly(choice('PENDING', 'COMPLETED', 'FAILED')), 'State of the transfer.'),
    createdAt: described(readOnly(moment()), 'When it was created.'),
  },
  sort: ['fromAccountId', 'toAccountId', 'amount', 'status', 'createdAt'],
  filters: ['fromAccountId', 'toAccountId', 'amount', 'status', 'createdAt'],
  references: { fromAccountId: 'accounts', toAccountId: 'accounts' },
  owners: { fromAccountId: 'fromUserId', toAccountId: 'toUserId' },
  links: { from: '/accounts/{fromAccountId}', to: '/accounts/{toAccountId}' },
  owner: {
    is: 'userId',
    condition: `"fromAccountId" in (${OWN}) or "toAccountId" in (${OWN})`,
    writeCondition: `"fromAccountId" in (${OWN})`,
    liftedBy,
  },
  ...FOR_GOOD,
  hooks: {
    async prepare(next, _previous, work) {
      await moveMoney(next, work, liftedBy.write)
      next.status = 'COMPLETED'
    },
  },
})
