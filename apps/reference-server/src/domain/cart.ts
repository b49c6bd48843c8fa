import {
  type ChangeContext,
  type Connection,
  described,
  failure,
  group,
  insertRows,
  list,
  loadMoney,
  type Money,
} from '../engine/index.ts'
import { lineFields, type OrderLine, priceLine, priceLines, totalOf } from './order-lines.ts'

export type CartLine = Omit<OrderLine, 'id'>

export interface Cart {
  items: CartLine[]
  total: Money
  updatedAt: string
  revision: number
}

/** Fields of a cart that clients send. Prices are those of the products. */
export const cartFields = {
  items: described(list<CartLine>(group(lineFields), { max: 100 }), 'Lines of the cart.'),
}

const NEVER = '1970-01-01T00:00:00.000Z'

/** Returns the id of the user whose cart a request is about: every user has one. */
export function cartOwner({ caller }: Pick<ChangeContext, 'caller'>): number {
  if (caller?.userId === undefined) throw failure('FORBIDDEN.cart')
  return caller.userId
}

interface CartRow {
  revision: number
  updatedAt: string
  currency: string | null
}

type CartItemRow = { productId: number; quantity: number; price: number; priceCurrency: string }

/**
 * The cart of a user; one that was never touched is empty. It has the currency of its first line: a product whose price
 * is in another currency by now is not shown, so that the total stays what it says.
 */
export async function readCart(db: Connection, userId: number): Promise<Cart> {
  const head = await db.get<CartRow>('select "revision", "updatedAt", "currency" from "carts" where "userId" = ?', [
    userId,
  ])
  const rows = await db.all<CartItemRow>(
    `select "productId", "quantity", "price", "priceCurrency" from "cart_items"
      join "products" on "products"."id" = "productId" where "userId" = ? order by "productId"`,
    [userId],
  )
  const { revision = 0, updatedAt = NEVER, currency = rows[0]?.priceCurrency } = head ?? {}
  const items = rows
    .filter(({ priceCurrency }) => currency === null || priceCurrency === currency)
    .map(({ productId, quantity, ...row }) => priceLine({ productId, quantity }, loadMoney(row, 'price')))
  return { items, total: totalOf(items), updatedAt, revision }
}

/**
 * Replaces the lines of a cart, if that has an effect. A product that is named twice is there once, with both
 * quantities.
 */
export async function writeCart(
  userId: number,
  lines: readonly CartLine[],
  current: Cart,
  { db, now }: ChangeContext,
): Promise<void> {
  const quantities = new Map<number, number>()
  for (const { productId, quantity } of lines) quantities.set(productId, (quantities.get(productId) ?? 0) + quantity)
  const { items } = current
  if (items.length === quantities.size && items.every((item) => quantities.get(item.productId) === item.quantity))
    return
  const { currency = null } = await priceLines(db, lines, { before: [] })
  const sql = `insert into "carts" ("userId", "currency", "revision", "updatedAt") values (?, ?, 1, ?)
    on conflict ("userId") do update set "currency" = excluded."currency",
      "revision" = "carts"."revision" + 1, "updatedAt" = excluded."updatedAt"`
  await db.run(sql, [userId, currency, now])
  await db.run('delete from "cart_items" where "userId" = ?', [userId])
  const rows = [...quantities].map(([productId, quantity]) => ({ userId, productId, quantity }))
  await insertRows(db, 'cart_items', rows)
}
