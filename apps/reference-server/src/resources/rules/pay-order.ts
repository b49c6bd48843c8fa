import { sql } from 'kysely'
import { lockRows } from '../../database/lock.ts'
import { conflict, forbidden, isConfined, type Lift, refuseValue, type Work } from '../define.ts'
import { compare, loadMoney, type Money } from '../money.ts'

/** Pays an order in the transaction of the work: the order is PAID, and its goods are taken out of the stock. */
export async function payOrder(
  { orderId, amount }: { orderId: number; amount: Money },
  work: Work,
  lift: Lift,
): Promise<void> {
  const { db, caller, now } = work
  const [order] = await lockRows(db, 'orders', [orderId])
  if (!order) return refuseValue('UNKNOWN_REFERENCE', '/orderId', 'does not exist')
  if (isConfined(caller, lift) && String(order['customerId']) !== String(caller?.customerId))
    throw forbidden('This order belongs to somebody else.')
  if (order['status'] !== 'CREATED')
    throw conflict('ILLEGAL_TRANSITION', `An order that is ${order['status']} cannot be paid.`)
  const total = loadMoney(order, 'total')
  if (amount.currency !== total.currency)
    refuseValue('CURRENCY_MISMATCH', '/amount/currency', `must be ${total.currency}, the currency of the order`)
  if (compare(amount, total) !== 0) refuseValue('AMOUNT_MISMATCH', '/amount', 'must be the total of the order')
  await takeGoods(orderId, work)
  await db
    .updateTable('orders')
    .set({ status: 'PAID', paidAt: now, updatedAt: now, revision: sql`"revision" + 1` })
    .where('id', '=', orderId)
    .execute()
}

async function takeGoods(orderId: number, { db, now }: Work): Promise<void> {
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
      refuseValue('OUT_OF_STOCK', '', `holds product ${productId}, of which there is not enough`)
  }
}
