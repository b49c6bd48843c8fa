import { sql } from 'kysely'
import { group, list } from './composites.ts'
import { type Db, forbidden, refuseValue, type Work } from './define.ts'
import { type Money, minorOf, moneyOf } from './money.ts'
import { lineFields, type OrderLine } from './rules/order-lines.ts'

export type CartLine = Omit<OrderLine, 'id'>

export interface Cart {
  items: CartLine[]
  total: Money
  updatedAt: string
  revision: number
}

/** What clients send of a cart; prices are those of the products. */
export const cartFields = {
  items: list<CartLine>(group(lineFields), { max: 100 }),
}

const CURRENCY = 'EUR'
const NEVER = '1970-01-01T00:00:00.000Z'

/** Whose cart it is: everybody has one of their own. */
export function cartOwner({ caller }: Pick<Work, 'caller'>): number {
  if (caller?.userId === undefined) throw forbidden('Only users of this service have a cart.')
  return caller.userId
}

/** The cart of a user; one that was never touched is empty. */
export async function readCart(db: Db, userId: number): Promise<Cart> {
  const head = await db.selectFrom('carts').selectAll().where('userId', '=', userId).executeTakeFirst()
  const rows = await db
    .selectFrom('cart_items')
    .innerJoin('products', 'products.id', 'cart_items.productId')
    .select(['productId', 'quantity', 'price'])
    .where('userId', '=', userId)
    .orderBy('productId')
    .execute()
  const items = rows.map(({ productId, quantity, price }) => ({
    ...{ productId: Number(productId), quantity: Number(quantity) },
    unitPrice: moneyOf(Number(price), CURRENCY),
    lineTotal: moneyOf(Number(price) * Number(quantity), CURRENCY),
  }))
  const total = items.reduce((sum, { lineTotal }) => sum + minorOf(lineTotal), 0)
  const { revision = 0, updatedAt = NEVER } = head ?? {}
  return { items, total: moneyOf(total, CURRENCY), updatedAt: String(updatedAt), revision: Number(revision) }
}

/** Writes the cart of a user anew. A product that is named twice is there once, with both quantities. */
export async function writeCart(userId: number, lines: readonly CartLine[], { db, now }: Work): Promise<void> {
  const quantities = new Map<number, number>()
  for (const { productId, quantity } of lines) quantities.set(productId, (quantities.get(productId) ?? 0) + quantity)
  const ids = [...quantities.keys()]
  const known = ids.length === 0 ? [] : await db.selectFrom('products').select('id').where('id', 'in', ids).execute()
  const unknown = ids.find((id) => !known.some((row) => Number(row['id']) === id))
  if (unknown !== undefined)
    refuseValue('UNKNOWN_REFERENCE', '/items', `names product ${unknown}, which does not exist`)
  await db
    .insertInto('carts')
    .values({ userId, revision: 1, updatedAt: now })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({ revision: sql`"carts"."revision" + 1`, updatedAt: now }),
    )
    .execute()
  await db.deleteFrom('cart_items').where('userId', '=', userId).execute()
  if (ids.length === 0) return
  const rows = [...quantities].map(([productId, quantity]) => ({ userId, productId, quantity }))
  await db.insertInto('cart_items').values(rows).execute()
}
