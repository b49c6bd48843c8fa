import { sql } from 'kysely'
import { group, list } from '../engine/composites.ts'
import { type ChangeContext, type Db, failure } from '../engine/define.ts'
import { described } from '../engine/modifiers.ts'
import { loadMoney, type Money } from '../engine/money.ts'
import { lineFields, type OrderLine, priceLine, priceLines, totalOf } from './rules/order-lines.ts'

export type CartLine = Omit<OrderLine, 'id'>

export interface Cart {
  items: CartLine[]
  total: Money
  updatedAt: string
  revision: number
}

/** What clients send of a cart; prices are those of the products. */
export const cartFields = {
  items: described(list<CartLine>(group(lineFields), { max: 100 }), 'Lines of the cart.'),
}

const NEVER = '1970-01-01T00:00:00.000Z'

/** Whose cart it is: everybody has one of their own. */
export function cartOwner({ caller }: Pick<ChangeContext, 'caller'>): number {
  if (caller?.userId === undefined) throw failure('FORBIDDEN.cart')
  return caller.userId
}

/**
 * The cart of a user; one that was never touched is empty. It has the currency of its first line: a product whose price
 * is in another currency by now is not shown, so that the total stays what it says.
 */
export async function readCart(db: Db, userId: number): Promise<Cart> {
  const head = await db.selectFrom('carts').selectAll().where('userId', '=', userId).executeTakeFirst()
  const rows = await db
    .selectFrom('cart_items')
    .innerJoin('products', 'products.id', 'cart_items.productId')
    .select(['productId', 'quantity', 'price', 'priceCurrency'])
    .where('userId', '=', userId)
    .orderBy('productId')
    .execute()
  const { revision = 0, updatedAt = NEVER, currency = rows[0]?.['priceCurrency'] } = head ?? {}
  const items = rows
    .filter((row) => currency === null || row['priceCurrency'] === currency)
    .map((row) =>
      priceLine({ productId: Number(row['productId']), quantity: Number(row['quantity']) }, loadMoney(row, 'price')),
    )
  return { items, total: totalOf(items), updatedAt: String(updatedAt), revision: Number(revision) }
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
  await db
    .insertInto('carts')
    .values({ userId, currency, revision: 1, updatedAt: now })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({ currency, revision: sql`"carts"."revision" + 1`, updatedAt: now }),
    )
    .execute()
  await db.deleteFrom('cart_items').where('userId', '=', userId).execute()
  if (quantities.size === 0) return
  const rows = [...quantities].map(([productId, quantity]) => ({ userId, productId, quantity }))
  await db.insertInto('cart_items').values(rows).execute()
}
