import { type Connection, forUpdate, TOUCH } from '../../database/connection.ts'
import { type ChangeContext, failure } from '../../engine/define.ts'
import { loadMoney, storeMoney, sum, times } from '../../engine/money.ts'
import { withinRange } from './order-lines.ts'

/** Locks an order whose items change and returns its currency, if it has one yet. Refuses if it is no longer new. */
export async function requireOpen(db: Connection, orderId: number): Promise<string | undefined> {
  const sql = `select "status", "currency" from "orders" where "id" = ?${forUpdate(db)}`
  const order = await db.get<{ status: string; currency: string | null }>(sql, [orderId])
  if (order && order.status !== 'CREATED')
    throw failure('ILLEGAL_TRANSITION.items', { status: order.status, allowed: ['CREATED'] })
  return order?.currency ?? undefined
}

type ItemRow = { quantity: number; unitPrice: number; unitPriceCurrency: string }

/** Adds up an order again after one of its items changed. The order is locked. */
export async function retotal(orderId: number, { db, now }: ChangeContext): Promise<void> {
  const orders = `select "currency", "totalCurrency" from "orders" where "id" = ?${forUpdate(db)}`
  const order = await db.get<{ currency: string | null; totalCurrency: string }>(orders, [orderId])
  if (!order) return
  const items = 'select "quantity", "unitPrice", "unitPriceCurrency" from "order_items" where "orderId" = ?'
  const rows = await db.all<ItemRow>(items, [orderId])
  const amounts = rows.map((row) => times(loadMoney(row, 'unitPrice'), row.quantity))
  const currency = order.currency ?? amounts[0]?.currency ?? null
  const total = storeMoney(
    'total',
    withinRange('', () => sum(amounts, currency ?? order.totalCurrency)),
  )
  await db.run(`update "orders" set "total" = ?, "totalCurrency" = ?, "currency" = ?, ${TOUCH} where "id" = ?`, [
    total.total,
    total.totalCurrency,
    currency,
    now,
    orderId,
  ])
}
