import type { Schema } from './schema.ts'

/** Accounts and transfers between them. */
export async function up({ table, sortable, unique, id, long, text }: Schema): Promise<void> {
  await table('accounts', [
    id,
    `"userId" ${long} not null references "users" ("id")`,
    `"number" ${text} not null`,
    `"currency" ${text} not null`,
    `"balance" ${long} not null check ("balance" >= 0)`,
    `"balanceCurrency" ${text} not null`,
    `"status" ${text} not null`,
  ])
  await unique('accounts', 'number')
  await sortable('accounts', ['userId', 'currency', 'status', 'createdAt'])

  await table('transfers', [
    id,
    `"fromAccountId" ${long} not null references "accounts" ("id")`,
    `"toAccountId" ${long} not null references "accounts" ("id")`,
    `"amount" ${long} not null check ("amount" > 0)`,
    `"amountCurrency" ${text} not null`,
    `"reference" ${text}`,
    `"status" ${text} not null`,
  ])
  await sortable('transfers', ['fromAccountId', 'toAccountId', 'amount', 'status', 'createdAt'])
}
