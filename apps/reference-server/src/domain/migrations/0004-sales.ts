import type { Schema } from './schema.ts'

/** Orders with what belongs to them, payments and carts. */
export async function up({ table, plainTable, sortable, unique, index, id, long, text }: Schema): Promise<void> {
  await table('orders', [
    id,
    `"customerId" ${long} not null references "customers" ("id")`,
    `"status" ${text} not null`,
    `"total" ${long} not null`,
    `"totalCurrency" ${text} not null`,
    `"paidAt" ${text}`,
    `"shippedAt" ${text}`,
    `"deliveredAt" ${text}`,
    `"cancelledAt" ${text}`,
    `"cancelReason" ${text}`,
  ])
  await sortable('orders', ['customerId', 'status', 'total', 'createdAt', 'updatedAt'])

  await table('order_items', [
    id,
    `"orderId" ${long} not null references "orders" ("id") on delete cascade`,
    `"productId" ${long} not null references "products" ("id")`,
    '"quantity" integer not null check ("quantity" > 0)',
    `"unitPrice" ${long} not null`,
    `"unitPriceCurrency" ${text} not null`,
  ])
  await index('order_items', ['orderId', 'id'])
  await sortable('order_items', ['productId'])

  await table('payments', [
    id,
    `"orderId" ${long} not null references "orders" ("id")`,
    `"amount" ${long} not null`,
    `"amountCurrency" ${text} not null`,
    `"method" ${text} not null`,
    `"token" ${text}`,
    `"status" ${text} not null`,
  ])
  await sortable('payments', ['orderId', 'status', 'method', 'amount', 'createdAt'])
  // Of parallel payments of one order at most one can succeed.
  await unique('payments', 'orderId', `(case when "status" in ('PENDING', 'SUCCEEDED') then "orderId" end)`)

  await plainTable('carts', [
    `"userId" ${long} primary key references "users" ("id") on delete cascade`,
    '"revision" integer not null default 1',
    `"updatedAt" ${text} not null`,
  ])
  await plainTable('cart_items', [
    `"userId" ${long} not null references "carts" ("userId") on delete cascade`,
    `"productId" ${long} not null references "products" ("id") on delete cascade`,
    '"quantity" integer not null check ("quantity" > 0)',
    'primary key ("userId", "productId")',
  ])
}
