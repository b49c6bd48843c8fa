import { list } from '../engine/composites.ts'
import { collection, createSubject, hashPassword, ROLES, refuseShape, requireScope } from '../engine/define.ts'
import { choice, email, longReference, moment, text } from '../engine/fields.ts'
import { hidden, optional, readOnly, secret } from '../engine/modifiers.ts'

/** Who may sign in. */
export const users = collection({
  name: 'users',
  item: 'user',
  fields: {
    subject: readOnly(text({ max: 200 })),
    username: text({ min: 3, max: 32, pattern: /^[a-z0-9._-]{3,32}$/, format: 'FORMAT.username' }),
    email: email(),
    displayName: optional(text({ max: 200 })),
    roles: optional(list(choice(...ROLES), { max: ROLES.length })),
    customerId: optional(longReference()),
    password: optional(secret(text({ min: 12, max: 128 }))),
    passwordHash: hidden(text({ max: 500 })),
    soapSecret: hidden(text({ max: 500 })),
    createdAt: readOnly(moment()),
  },
  sort: ['username', 'email', 'displayName', 'createdAt'],
  filters: ['username', 'email', 'displayName', 'createdAt'],
  references: { customerId: 'customers' },
  links: { customer: '/customers/{customerId}', orders: '/users/{id}/orders' },
  owner: {
    field: 'id',
    is: 'userId',
    liftedBy: { read: { scopes: ['users:admin'] }, write: { scopes: ['users:admin'] } },
  },
  usedBy: [
    { table: 'accounts', column: 'userId' },
    { table: 'reviews', column: 'userId' },
  ],
  cache: 'private',
  hooks: {
    async prepare(next, previous, { caller }) {
      next.subject ??= createSubject()
      next.roles ??= []
      const isSame = String(next.roles) === String(previous?.roles ?? []) && next.customerId === previous?.customerId
      if (!previous || !isSame) requireScope(caller, 'users:admin')
      if (next.password !== undefined) next.passwordHash = await hashPassword(next.password)
      else if (!previous) refuseShape('REQUIRED.field', '/password')
      next.password = undefined
    },
  },
})
