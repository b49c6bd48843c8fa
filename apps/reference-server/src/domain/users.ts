import {
  choice,
  collection,
  createSubject,
  described,
  email,
  hashPassword,
  hidden,
  list,
  longReference,
  optional,
  ROLES,
  readOnly,
  rejectSyntax,
  requireScope,
  secret,
  text,
} from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import { creationTime, LIFTED_BY_USER_ADMINS } from './rules.ts'

export const users = collection({
  name: 'users',
  item: 'user',
  description: 'Users who can authenticate.',
  example: examples.users,
  fields: {
    subject: described(readOnly(text({ max: 200 })), 'Identifier of the user in access tokens.'),
    username: described(
      text({ min: 3, max: 32, pattern: /^[a-z0-9._-]{3,32}$/, format: 'FORMAT.username' }),
      'Name for authentication, unique among users.',
    ),
    email: described(email(), 'Email address, unique among users.'),
    displayName: described(optional(text({ max: 200 })), 'Name to show.'),
    roles: described(
      optional(list(choice(...ROLES), { max: ROLES.length })),
      'Roles, which decide what the user may do.',
    ),
    customerId: described(optional(longReference()), 'Customer that the user is.'),
    password: described(
      optional(secret(text({ min: 12, max: 128 }))),
      'Password. It is required for a new user.',
      'correct horse battery',
    ),
    passwordHash: hidden(text({ max: 500 })),
    soapSecret: hidden(text({ max: 500 })),
    createdAt: creationTime,
  },
  sort: ['username', 'email', 'displayName', 'createdAt'],
  references: { customerId: 'customers' },
  links: { customer: '/customers/{customerId}', orders: '/users/{id}/orders' },
  owner: { field: 'id', is: 'userId', liftedBy: LIFTED_BY_USER_ADMINS },
  usedBy: [
    { table: 'accounts', column: 'userId' },
    { table: 'reviews', column: 'userId' },
  ],
  cache: 'private',
  hooks: {
    async beforeSave(next, previous, { caller, beforehand }) {
      next.subject ??= createSubject()
      next.roles ??= []
      const isSame = String(next.roles) === String(previous?.roles ?? []) && next.customerId === previous?.customerId
      if (!previous || !isSame) requireScope(caller, 'users:admin')
      if (next.password !== undefined) next.passwordHash = await beforehand(next.password, hashPassword)
      else if (!previous) rejectSyntax('REQUIRED.field', '/password')
      next.password = undefined
    },
  },
})
