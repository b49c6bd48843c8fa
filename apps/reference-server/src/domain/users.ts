import { collection, createSubject, field, hashPassword, ROLES, rejectSyntax, requireScope } from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import { creationTime, LIFTED_BY_USER_ADMINS } from './rules.ts'

export const users = collection({
  name: 'users',
  item: 'user',
  description: 'Users who can authenticate.',
  example: examples.users,
  fields: {
    subject: field.text({ max: 200 }).readOnly().describe('Identifier of the user in access tokens.'),
    username: field
      .text({ min: 3, max: 32, pattern: /^[a-z0-9._-]{3,32}$/, format: 'FORMAT.username' })
      .describe('Name for authentication, unique among users.'),
    email: field.email().describe('Email address, unique among users.'),
    displayName: field.text({ max: 200 }).optional().describe('Name to show.'),
    roles: field
      .list(field.choice(...ROLES), { max: ROLES.length })
      .optional()
      .describe('Roles, which decide what the user may do.'),
    customerId: field.longReference().optional().describe('Customer record of the user.'),
    password: field
      .text({ min: 12, max: 128 })
      .writeOnly()
      .optional()
      .describe('Password. It is required for a new user.', 'correct horse battery'),
    passwordHash: field.text({ max: 500 }).hidden(),
    soapSecret: field.text({ max: 500 }).hidden(),
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
