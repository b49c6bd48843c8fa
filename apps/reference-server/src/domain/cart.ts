import {
  type ActionContext,
  type ActionResult,
  applyPatch,
  BODY_TYPES,
  type ChangeContext,
  type Connection,
  createForm,
  failure,
  field,
  insertRows,
  inTransaction,
  type Money,
  money,
  NO_CONTENT,
  objectSchema,
  PATCH_TYPES,
  type Payload,
  parseJson,
  type Route,
  readValue,
  route,
  validate,
} from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import { addUpLines, lineFields, type OrderLine, priceLine, priceLines } from './order-lines.ts'

type CartLine = Omit<OrderLine, 'id'>

interface Cart {
  items: CartLine[]
  total: Money
  updatedAt: string
  revision: number
}

/** Fields of a cart that clients send. Prices are those of the products. */
const cartFields = {
  items: field.list<CartLine>(field.group(lineFields), { max: 100 }).describe('Lines of the cart.'),
}

const NEVER = '1970-01-01T00:00:00.000Z'

// Every user has a cart.
function requireUserId({ caller }: Pick<ChangeContext, 'caller'>): number {
  if (caller?.userId === undefined) throw failure('FORBIDDEN.cart')
  return caller.userId
}

type CartItemRow = { productId: number; quantity: number; price: number; priceCurrency: string }

/**
 * Reads the cart of a user, which is empty until it is changed. A cart has the currency of its
 * first line. A product whose price is in another currency by now is omitted.
 */
async function readCart(db: Connection, userId: number): Promise<Cart> {
  const cart = 'select "revision", "updatedAt", "currency" from "carts" where "userId" = ?'
  const head = await db.get<{ revision: number; updatedAt: string; currency: string | null }>(cart, [userId])
  const lines = `select "productId", "quantity", "price", "priceCurrency" from "cart_items"
    join "products" on "products"."id" = "productId" where "userId" = ? order by "productId"`
  const rows = await db.all<CartItemRow>(lines, [userId])
  const { revision = 0, updatedAt = NEVER, currency = rows[0]?.priceCurrency } = head ?? {}
  const items = rows
    .filter(({ priceCurrency }) => currency === null || priceCurrency === currency)
    .map(({ productId, quantity, ...row }) => priceLine({ productId, quantity }, money.fromColumns(row, 'price')))
  return { items, total: addUpLines(items), updatedAt, revision }
}

/** Replaces the lines of a cart if they differ. Lines with the same product are combined. */
async function writeCart(
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
  const { currency = null } = await priceLines(db, lines)
  const sql = `insert into "carts" ("userId", "currency", "revision", "updatedAt") values (?, ?, 1, ?)
    on conflict ("userId") do update set "currency" = excluded."currency",
      "revision" = "carts"."revision" + 1, "updatedAt" = excluded."updatedAt"`
  await db.run(sql, [userId, currency, now])
  await db.run('delete from "cart_items" where "userId" = ?', [userId])
  const rows = [...quantities].map(([productId, quantity]) => ({ userId, productId, quantity }))
  await insertRows(db, 'cart_items', rows)
}

const LINKS = { self: '/cart', orders: '/orders' }

const takes: Payload = {
  name: 'NewCart',
  schema: objectSchema(cartFields),
  example: examples.replaceCart,
}

const gives: Payload = {
  name: 'Cart',
  schema: objectSchema({
    ...cartFields,
    total: field.money().describe('Sum of all lines.'),
    updatedAt: field.dateTime().describe('When the cart was last changed; 1970 if never.'),
  }),
  example: examples.cart,
  links: LINKS,
}

export function cartRoute(): Route {
  const read = {
    scope: 'cart:read',
    kind: 'record',
    record: 'cart',
    tag: 'cart',
    gives,
  } as const
  const write = { ...read, scope: 'cart:write' } as const
  return route('/cart', {
    GET: {
      ...read,
      operationId: 'getCart',
      summary: 'Get the cart',
      description: 'Returns the cart of the caller. A cart that was never changed is empty.',
      run: async (call) => toResult(await readCart(call.db, requireUserId(call))),
    },
    PUT: {
      ...write,
      operationId: 'replaceCart',
      summary: 'Replace the cart',
      description: 'Replaces the lines of the cart and returns it. Prices are those of the products.',
      takes,
      accepts: BODY_TYPES,
      run: (call) => change(call, () => readValue(call, cartFields, 'cart')),
    },
    PATCH: {
      ...write,
      operationId: 'updateCart',
      summary: 'Update the cart',
      description: 'Changes the lines of the cart by JSON Merge Patch or JSON Patch, and returns it.',
      takes,
      accepts: PATCH_TYPES,
      idempotency: 'optional',
      run: (call) => change(call, ({ items }) => applyPatch(call.bodyType, { items }, parseJson(call.body))),
    },
    DELETE: {
      ...write,
      operationId: 'clearCart',
      summary: 'Clear the cart',
      description: 'Removes all lines from the cart.',
      run: async (call) => {
        await change(call, () => ({ items: [] }))
        return NO_CONTENT
      },
    },
  })
}

function change(call: ActionContext, next: (current: Cart) => unknown): Promise<ActionResult> {
  return inTransaction(call, async (work) => {
    const { db } = work
    const userId = requireUserId(call)
    const current = await readCart(db, userId)
    call.requireCurrent(readState(current))
    // Clients may send back what they received. What the server computes is ignored.
    const { total: _, updatedAt: __, ...body } = Object(next(current)) as Record<string, unknown>
    const values = validate(body, { fields: cartFields, mode: 'update', lenient: call.prefer.lenient })
    await writeCart(userId, values['items'] as CartLine[], current, work)
    return toResult(await readCart(db, userId))
  })
}

function toResult(cart: Cart): ActionResult {
  const { revision: _, ...value } = cart
  const content = { kind: 'record', name: 'cart', value, links: LINKS, form } as const
  return { status: 200, cache: 'never', ...readState(cart), content }
}

const form = createForm('cart', 'PUT', cartFields, 'cart:write')

function readState({ revision, updatedAt, total }: Cart): { version: string; lastModified: number } {
  return { version: `${revision}-${total.amount.replace('.', '_')}`, lastModified: Date.parse(updatedAt) }
}
