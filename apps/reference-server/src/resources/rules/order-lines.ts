import type { Db } from '../../database/database.ts'
import { group, list } from '../composites.ts'
import { refuseValue } from '../define.ts'
import { type Id, integer, reference } from '../fields.ts'
import { optional } from '../modifiers.ts'
import { type Money, minorOf, money, moneyOf } from '../money.ts'

/** One product in an order; what is optional the server sets. */
export interface OrderLine {
  id?: number | undefined
  productId: number
  quantity: number
  unitPrice?: Money | undefined
  lineTotal?: Money | undefined
}

/** How many of a product, as clients write it; the prices are those of the service. */
export const lineFields = {
  productId: reference(),
  quantity: integer({ min: 1, max: 999 }),
  unitPrice: optional(money()),
  lineTotal: optional(money()),
}

/** The lines of an order, as clients write and read them. */
export const orderLines = list<OrderLine>(group({ id: optional(reference()), ...lineFields }), { max: 100 })

const CURRENCY = 'EUR'

/** Gives every line its price: that of the product, or the one it was ordered at. */
export async function priceLines(
  db: Db,
  lines: readonly OrderLine[],
  before: readonly OrderLine[],
): Promise<OrderLine[]> {
  const ids = [...new Set(lines.map(({ productId }) => productId))]
  const rows =
    ids.length === 0 ? [] : await db.selectFrom('products').select(['id', 'price']).where('id', 'in', ids).execute()
  const prices = new Map(rows.map(({ id, price }) => [Number(id), Number(price)]))
  for (const { productId, unitPrice } of before) if (unitPrice) prices.set(productId, minorOf(unitPrice))
  return lines.map(({ productId, quantity }, at) => {
    const price = prices.get(productId)
    if (price === undefined) refuseValue('UNKNOWN_REFERENCE', `/items/${at}/productId`, 'does not exist')
    return lineOf({ productId, quantity }, price)
  })
}

function lineOf(line: OrderLine, price: number): OrderLine {
  return { ...line, unitPrice: moneyOf(price, CURRENCY), lineTotal: moneyOf(price * line.quantity, CURRENCY) }
}

/** What the lines cost together. */
export function totalOf(lines: readonly OrderLine[]): Money {
  return moneyOf(
    lines.reduce((sum, { lineTotal }) => sum + (lineTotal ? minorOf(lineTotal) : 0), 0),
    CURRENCY,
  )
}

/** Loads the lines of some orders with one query. */
export async function loadLines(db: Db, orders: { id: Id; items: OrderLine[] }[]): Promise<void> {
  const byOrder = new Map(orders.map((order) => [Number(order.id), order]))
  for (const order of orders) order.items = []
  const rows = await db
    .selectFrom('order_items')
    .select(['id', 'orderId', 'productId', 'quantity', 'unitPrice'])
    .where('orderId', 'in', [...byOrder.keys()])
    .orderBy('id')
    .execute()
  for (const { id, orderId, productId, quantity, unitPrice } of rows) {
    const line = { id: Number(id), productId: Number(productId), quantity: Number(quantity) }
    byOrder.get(Number(orderId))?.items.push(lineOf(line, Number(unitPrice)))
  }
}

/** Writes the lines of an order anew. */
export async function saveLines(db: Db, orderId: Id, lines: readonly OrderLine[], now: string): Promise<void> {
  await db.deleteFrom('order_items').where('orderId', '=', orderId).execute()
  if (lines.length === 0) return
  const kept = { revision: 1, createdAt: now, updatedAt: now, unitPriceCurrency: CURRENCY }
  const rows = lines.map(({ productId, quantity, unitPrice }) => ({
    ...{ ...kept, orderId, productId, quantity },
    unitPrice: unitPrice ? minorOf(unitPrice) : 0,
  }))
  await db.insertInto('order_items').values(rows).execute()
}

/** Whether two orders have the same products in the same quantities. */
export function sameLines(a: readonly OrderLine[], b: readonly OrderLine[]): boolean {
  if (a.length !== b.length) return false
  return a.every(({ productId, quantity }, at) => productId === b[at]?.productId && quantity === b[at]?.quantity)
}
