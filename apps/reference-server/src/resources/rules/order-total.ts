import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import { lockRows } from '../../database/lock.ts'
import { conflict, type Work } from '../define.ts'

/** Refuses to change the items of an order that is not new any more. */
export async function requireOpen(db: Db, orderId: number): Promise<void> {
  const [order] = await lockRows(db, 'orders', [orderId])
  if (order && order['status'] !== 'CREATED')
    throw conflict('ILLEGAL_TRANSITION', `The items of an order that is ${order['status']} cannot be changed.`)
}

/** Adds up an order again after one of its items changed. */
export async function retotal(orderId: number, { db, now }: Work): Promise<void> {
  const total = sql<number>`(select coalesce(sum("unitPrice" * "quantity"), 0) from "order_items" where "orderId" = ${orderId})`
  await db
    .updateTable('orders')
    .set({ total, updatedAt: now, revision: sql`"revision" + 1` })
    .where('id', '=', orderId)
    .execute()
}
