import { randomInt } from 'node:crypto'
import { collection, failure, field, money } from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import { creationTime, LIFTED_BY_ADMINS } from './rules.ts'

const COUNTRY = 'DE'
const DIGITS = 9

export const accounts = collection({
  name: 'accounts',
  item: 'account',
  description: 'Bank accounts of users. Only transfers change their balance.',
  example: examples.accounts,
  fields: {
    userId: field.reference().createOnly().optional().describe('User who owns the account: by default the caller.'),
    number: field.text({ max: 34 }).readOnly().describe('Account number.'),
    currency: field
      .choice(...money.CURRENCIES)
      .createOnly()
      .describe('Currency of the account.'),
    balance: field.money().readOnly().describe('Balance of the account.'),
    status: field.choice('OPEN', 'FROZEN', 'CLOSED').updateOnly().describe('State of the account.'),
    createdAt: creationTime,
  },
  sort: ['userId', 'currency', 'status', 'createdAt'],
  references: { userId: 'users' },
  links: {
    update: {
      href: '/accounts/{id}',
      when: ({ status }, { can }) => status !== 'CLOSED' && can('accounts:write'),
    },
    owner: '/users/{userId}',
  },
  owner: { field: 'userId', is: 'userId', liftedBy: LIFTED_BY_ADMINS },
  methods: ['GET', 'POST', 'PATCH'],
  cache: 'never',
  hooks: {
    beforeSave(next, previous, { caller }) {
      if (previous) {
        next.status ??= previous.status
        if (previous.status === 'CLOSED' && next.status !== 'CLOSED')
          throw failure('ILLEGAL_TRANSITION.accountFinal', { from: previous.status, to: next.status })
        if (next.status === 'CLOSED' && money.compare(previous.balance, money.zero(previous.currency)) > 0)
          throw failure('ILLEGAL_TRANSITION.accountBalance', { balance: money.format(previous.balance) })
        return
      }
      next.userId ??= caller?.userId
      if (next.userId === undefined) throw failure('FORBIDDEN.account')
      next.number = createNumber()
      next.balance = money.zero(next.currency)
      next.status = 'OPEN'
    },
  },
})

function createNumber(): string {
  const digits = Array.from({ length: 2 }, () => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0'))
  return `${COUNTRY}${randomInt(10, 99)}${digits.join('')}`
}
