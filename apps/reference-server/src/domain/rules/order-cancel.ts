import type { Db } from '../../database/database.ts'
import type { Id } from '../../database/values.ts'
import type { OrderLine } from './order-lines.ts'

/** Gives back what a paid order took: the money and the goods. */
export async function refund(db: Db, orderId: Id, lines: readonly OrderLine[], now: string): Promise<void> {
  await db
    .updateTable('payments')
    .set(({ eb }) => ({ status: 'REFUNDED', updatedAt: now, revision: eb('revision', '+', 1) }))
    .where('orderId', '=', orderId)
    .where('status', 'in', ['PENDING', 'SUCCEEDED'])
    .execute()
  for (const { productId, quantity } of lines) {
    await db
      .updateTable('products')
      .set(({ eb }) => ({ stock: eb('stock', '+', quantity), updatedAt: now, revision: eb('revision', '+', 1) }))
      .where('id', '=', productId)
      .execute()
  }
}
