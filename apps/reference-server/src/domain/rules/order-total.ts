import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import { lockRows } from '../../database/lock.ts'
import { type ChangeContext, failure } from '../../engine/define.ts'
import { loadMoney, storeMoney, sum, times } from '../../engine/money.ts'
import { withinRange } from './order-lines.ts'

/** Locks an order whose items change and returns its currency, if it has one yet. Refuses if it is no longer new. */
export async function requireOpen(db: Db, orderId: number): Promise<string | undefined> {
  const [order] = await lockRows(db, 'orders', [orderId])
  if (order && order['status'] !== 'CREATED')
    throw failure('ILLEGAL_TRANSITION.items', { status: String(order['status']), allowed: ['CREATED'] })
  return order?.['currency'] == null ? undefined : String(order['currency'])
}

/** Adds up an order again after one of its items changed. The order is locked. */
export async function retotal(orderId: number, { db, now }: ChangeContext): Promise<void> {
  const [order] = await lockRows(db, 'orders', [orderId])
  const rows = await db
    .selectFrom('order_items')
    .select(['quantity', 'unitPrice', 'unitPriceCurrency'])
    .where('orderId', '=', orderId)
    .execute()
  const amounts = rows.map((row) => times(loadMoney(row, 'unitPrice'), Number(row['quantity'])))
  const currency = order?.['currency'] ?? amounts[0]?.currency ?? null
  const total = withinRange('', () => sum(amounts, String(currency ?? order?.['totalCurrency'])))
  await db
    .updateTable('orders')
    .set({ ...storeMoney('total', total), currency, updatedAt: now, revision: sql`"revision" + 1` })
    .where('id', '=', orderId)
    .execute()
}
