import { forUpdate, TOUCH } from '../../database/connection.ts'
import { type ChangeContext, failure, isConfined, type Lift, noun, refuseValue } from '../../engine/define.ts'
import { compare, formatMoney, loadMoney, type Money } from '../../engine/money.ts'

type OrderRow = { status: string; total: number; totalCurrency: string; customerId: string }

/** Pays an order in the transaction of the work: the order is PAID, and its goods are taken out of the stock. */
export async function payOrder(
  { orderId, amount }: { orderId: number; amount: Money },
  work: ChangeContext,
  lift: Lift,
): Promise<void> {
  const { db, caller, now } = work
  const sql = `select "status", "total", "totalCurrency", cast("customerId" as text) as "customerId" from "orders"
    where "id" = ?${forUpdate(db)}`
  const order = await db.get<OrderRow>(sql, [orderId])
  if (!order) return refuseValue('UNKNOWN_REFERENCE.item', '/orderId', { item: noun('order'), id: orderId })
  if (isConfined(caller, lift) && order.customerId !== String(caller?.customerId))
    throw failure('FORBIDDEN.owner', { item: noun('order'), id: orderId })
  if (order.status !== 'CREATED')
    throw failure('ILLEGAL_TRANSITION.pay', { status: order.status, allowed: ['CREATED'] })
  const total = loadMoney(order, 'total')
  if (amount.currency !== total.currency)
    refuseValue('CURRENCY_MISMATCH.order', '/amount/currency', { expected: total.currency })
  if (compare(amount, total) !== 0) refuseValue('AMOUNT_MISMATCH.total', '/amount', { total: formatMoney(total) })
  await takeGoods(orderId, work)
  await db.run(`update "orders" set "status" = 'PAID', "paidAt" = ?, ${TOUCH} where "id" = ?`, [now, now, orderId])
}

async function takeGoods(orderId: number, { db, now }: ChangeContext): Promise<void> {
  const lines = 'select "productId", "quantity" from "order_items" where "orderId" = ? order by "productId"'
  const take = `update "products" set "stock" = "stock" - ?, ${TOUCH} where "id" = ? and "stock" >= ?`
  for (const { productId, quantity } of await db.all<{ productId: number; quantity: number }>(lines, [orderId]))
    if ((await db.run(take, [quantity, now, productId, quantity])) === 0)
      throw failure('OUT_OF_STOCK.product', { id: productId, quantity })
}
