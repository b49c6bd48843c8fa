import type { Schema } from './schema.ts'

const AMOUNTS = [
  ['products', 'price'],
  ['orders', 'total'],
  ['payments', 'amount'],
  ['transfers', 'amount'],
] as const

/** Orders and carts keep the currency of their first line. Amounts are sorted by currency, then by amount. */
export async function up({ run, dialect, text }: Schema): Promise<void> {
  await run(`alter table "orders" add column "currency" ${text}`)
  await run(`update "orders" set "currency" = "totalCurrency"
    where exists (select 1 from "order_items" where "order_items"."orderId" = "orders"."id")`)
  await run(`alter table "carts" add column "currency" ${text}`)
  const nulls = dialect === 'sqlite' ? '' : ' nulls first'
  for (const [table, column] of AMOUNTS) {
    await run(`drop index "${table}_${column}"`)
    await run(
      `create index "${table}_${column}" on "${table}" ("${column}Currency"${nulls}, "${column}"${nulls}, "id")`,
    )
  }
}
