import { sql } from 'kysely'
import { lockRows } from '../../database/lock.ts'
import { type ChangeContext, failure, isConfined, type Lift, noun, refuseValue } from '../../engine/define.ts'
import { compare, formatMoney, loadMoney, type Money } from '../../engine/money.ts'

/** Pays an order in the transaction of the work: the order is PAID, and its goods are taken out of the stock. */
export async function payOrder(
  { orderId, amount }: { orderId: number; amount: Money },
  work: ChangeContext,
  lift: Lift,
): Promise<void> {
  const { db, caller, now } = work
  const [order] = await lockRows(db, 'orders', [orderId])
  if (!order) return refuseValue('UNKNOWN_REFERENCE.item', '/orderId', { item: noun('order'), id: orderId })
  if (isConfined(caller, lift) && String(order['customerId']) !== String(caller?.customerId))
    throw failure('FORBIDDEN.owner', { item: noun('order'), id: orderId })
  if (order['status'] !== 'CREATED')
    throw failure('ILLEGAL_TRANSITION.pay', { status: String(order['status']), allowed: ['CREATED'] })
  const total = loadMoney(order, 'total')
  if (amount.currency !== total.currency)
    refuseValue('CURRENCY_MISMATCH.order', '/amount/currency', { expected: total.currency })
  if (compare(amount, total) !== 0) refuseValue('AMOUNT_MISMATCH.total', '/amount', { total: formatMoney(total) })
  await takeGoods(orderId, work)
  await db
    .updateTable('orders')
    .set({ status: 'PAID', paidAt: now, updatedAt: now, revision: sql`"revision" + 1` })
    .where('id', '=', orderId)
    .execute()
}

async function takeGoods(orderId: number, { db, now }: ChangeContext): Promise<void> {
  const lines = await db
    .selectFrom('order_items')
    .select(['productId', 'quantity'])
    .where('orderId', '=', orderId)
    .orderBy('productId')
    .execute()
  for (const { productId, quantity } of lines) {
    const { numUpdatedRows } = await db
      .updateTable('products')
      .set({ stock: sql`"stock" - ${quantity}`, updatedAt: now, revision: sql`"revision" + 1` })
      .where('id', '=', productId ?? null)
      .where('stock', '>=', quantity ?? null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n)
      throw failure('OUT_OF_STOCK.product', { id: Number(productId), quantity: Number(quantity) })
  }
}
