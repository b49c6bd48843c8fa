import { randomInt } from 'node:crypto'
import { collection, failure } from '../engine/define.ts'
import { choice, moment, reference, text } from '../engine/fields.ts'
import { changeable, fixed, optional, readOnly } from '../engine/modifiers.ts'
import { CURRENCIES, compare, formatMoney, zero } from '../engine/money.ts'
import { money } from '../engine/money-field.ts'

const COUNTRY = 'DE'
const DIGITS = 9

/** Where users have money; it moves by transfers alone. */
export const accounts = collection({
  name: 'accounts',
  item: 'account',
  fields: {
    userId: optional(fixed(reference())),
    number: readOnly(text({ max: 34 })),
    currency: fixed(choice(...CURRENCIES)),
    balance: readOnly(money()),
    status: changeable(choice('OPEN', 'FROZEN', 'CLOSED')),
    createdAt: readOnly(moment()),
  },
  sort: ['userId', 'currency', 'status', 'createdAt'],
  filters: ['userId', 'currency', 'status', 'createdAt'],
  references: { userId: 'users' },
  links: {
    update: {
      href: '/accounts/{id}',
      when: ({ status }, { can }) => status !== 'CLOSED' && can('accounts:write'),
    },
    owner: '/users/{userId}',
  },
  owner: {
    field: 'userId',
    is: 'userId',
    liftedBy: { read: { roles: ['admin', 'staff', 'reader'] }, write: { roles: ['admin'] } },
  },
  methods: ['GET', 'POST', 'PATCH'],
  cache: 'never',
  hooks: {
    prepare(next, previous, { caller }) {
      if (previous) {
        next.status ??= previous.status
        if (previous.status === 'CLOSED' && next.status !== 'CLOSED')
          throw failure('ILLEGAL_TRANSITION.accountFinal', { from: previous.status, to: next.status })
        if (next.status === 'CLOSED' && compare(previous.balance, zero(previous.currency)) > 0)
          throw failure('ILLEGAL_TRANSITION.accountBalance', { balance: formatMoney(previous.balance) })
        return
      }
      next.userId ??= caller?.userId
      if (next.userId === undefined) throw failure('FORBIDDEN.account')
      next.number = numberOf()
      next.balance = zero(next.currency)
      next.status = 'OPEN'
    },
  },
})

function numberOf(): string {
  const digits = Array.from({ length: 2 }, () => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0'))
  return `${COUNTRY}${randomInt(10, 99)}${digits.join('')}`
}
