import type { Schema } from './schema.ts'

/** Customers, users, and reviews of products. */
export async function up({ table, plainTable, sortable, unique, index, id, long, text }: Schema): Promise<void> {
  await table('customers', [
    `"id" ${long} primary key`,
    `"name" ${text} not null`,
    `"email" ${text} not null`,
    `"phone" ${text}`,
  ])
  await unique('customers', 'email', 'lower("email")')
  await sortable('customers', ['name', 'email'])
  // SOAP clients bring ids of their own: which ones were ever used, and which one comes next, is kept here.
  await plainTable('customer_ids', [`"id" ${long} primary key`, '"brought" integer not null default 0'])
  await index('customer_ids', ['brought', 'id'])

  await table('users', [
    id,
    `"username" ${text} not null`,
    `"email" ${text} not null`,
    `"displayName" ${text}`,
    `"roles" ${text} not null`,
    `"customerId" ${long} references "customers" ("id")`,
    `"passwordHash" ${text} not null`,
    `"soapSecret" ${text}`,
  ])
  await unique('users', 'username')
  await unique('users', 'email', 'lower("email")')
  await sortable('users', ['username', 'email', 'displayName', 'createdAt'])
  await index('users', ['customerId'])

  await table('reviews', [
    id,
    `"productId" ${long} not null references "products" ("id")`,
    `"userId" ${long} not null references "users" ("id")`,
    '"rating" integer not null',
    `"title" ${text}`,
    `"comment" ${text}`,
  ])
  await unique('reviews', 'userId', '"productId", "userId"')
  await sortable('reviews', ['rating', 'createdAt'])
  await index('reviews', ['productId', 'id'])
  await index('reviews', ['userId'])
}
