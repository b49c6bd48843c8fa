import { type Connection, TOUCH } from '../../database/connection.ts'
import type { Id } from '../../database/values.ts'
import type { OrderLine } from './order-lines.ts'

/** Returns what a paid order took: the money and the goods. */
export async function refund(db: Connection, orderId: Id, lines: readonly OrderLine[], now: string): Promise<void> {
  await db.run(
    `update "payments" set "status" = 'REFUNDED', ${TOUCH}
      where "orderId" = ? and "status" in ('PENDING', 'SUCCEEDED')`,
    [now, Number(orderId)],
  )
  for (const { productId, quantity } of lines)
    await db.run(`update "products" set "stock" = "stock" + ?, ${TOUCH} where "id" = ?`, [quantity, now, productId])
}
