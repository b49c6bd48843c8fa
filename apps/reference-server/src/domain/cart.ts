import {
  type ActionContext,
  type ActionResult,
  applyPatch,
  BODY_TYPES,
  type ChangeContext,
  checkedPatch,
  createForm,
  failure,
  field,
  forUpdate,
  insertRows,
  inTransaction,
  invalid,
  MINIMAL,
  type Money,
  money,
  NO_CONTENT,
  objectSchema,
  PATCH_TYPES,
  type Payload,
  parseJson,
  type Route,
  readValue,
  rejectParameters,
  requireObject,
  route,
  validate,
} from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import { FIRST_CURRENCY, lineFields, MAX_QUANTITY, type OrderLine, priceLine, priceLines } from './order-lines.ts'

type CartLine = Omit<OrderLine, 'id'>

interface Cart {
  items: CartLine[]
  total: Money
  updatedAt: string
  userId: number
  revision: number
  /** Whether no line is omitted. */
  isWhole: boolean
}

/** Fields of a cart that clients send. Prices are those of the products. */
const cartFields = {
  items: field.list<CartLine>(field.group(lineFields), { max: 100 }).describe('Lines of the cart.'),
}

const NEVER = '1970-01-01T00:00:00.000Z'

interface CartHead {
  revision: number
  updatedAt: string
  currency: string | null
}

type CartRow = { productId: number; quantity: number; price: number; priceCurrency: string }

/**
 * Reads the cart of the caller, which is empty until it is changed. A cart has the currency of its
 * first line. A product whose price is in another currency by now is omitted, and one whose price
 * gives its line or the total too many digits.
 */
async function readCart({ db, caller }: Pick<ChangeContext, 'db' | 'caller'>, lock = ''): Promise<Cart> {
  const userId = caller?.userId
  if (userId === undefined) throw failure('FORBIDDEN.cart')
  // The user is locked: a cart that was never changed has no row.
  if (lock !== '') await db.get(`select 1 from "users" where "id" = ?${lock}`, [userId])
  const cart = 'select "revision", "updatedAt", "currency" from "carts" where "userId" = ?'
  const { revision = 0, updatedAt = NEVER, currency } = (await db.get<CartHead>(cart, [userId])) ?? {}
  const lines = `select "productId", "quantity", "price", "priceCurrency" from "cart_items"
    join "products" on "products"."id" = "productId" where "userId" = ? order by "productId"`
  const rows = await db.all<CartRow>(lines, [userId])
  const items: CartLine[] = []
  let total = money.zero(currency ?? rows[0]?.priceCurrency ?? FIRST_CURRENCY)
  for (const { productId, quantity, price, priceCurrency } of rows) {
    try {
      const line = priceLine({ productId, quantity }, price, priceCurrency)
      total = money.add(total, line.lineTotal)
      items.push(line)
    } catch (error) {
      if (!(error instanceof money.MoneyError)) throw error
    }
  }
  return { items, total, updatedAt, userId, revision, isWhole: items.length === rows.length }
}

/** Replaces the lines of a cart if they differ. Lines with the same product are combined. */
async function writeCart(
  { userId, items, isWhole }: Cart,
  lines: readonly CartLine[],
  { db, now }: ChangeContext,
): Promise<void> {
  const quantities = new Map<number, number>()
  for (const [index, { productId, quantity }] of lines.entries()) {
    const combined = (quantities.get(productId) ?? 0) + quantity
    const pointer = `/items/${index}/quantity`
    if (combined > MAX_QUANTITY)
      throw invalid(422, 'BUSINESS_RULE', [{ pointer, key: 'RANGE.max', params: { max: MAX_QUANTITY } }])
    quantities.set(productId, combined)
  }
  const isSame = items.every(({ productId, quantity }) => quantities.get(productId) === quantity)
  if (isWhole && isSame && items.length === quantities.size) return
  const { currency = null } = await priceLines(db, lines, { before: items })
  const sql = `insert into "carts" ("userId", "currency", "revision", "updatedAt") values (?, ?, 1, ?)
    on conflict ("userId") do update set "currency" = excluded."currency",
      "revision" = "carts"."revision" + 1, "updatedAt" = excluded."updatedAt"`
  await db.run(sql, [userId, currency, now])
  await db.run('delete from "cart_items" where "userId" = ?', [userId])
  const rows = [...quantities].map(([productId, quantity]) => ({ userId, productId, quantity }))
  await insertRows(db, 'cart_items', rows)
}

const LINKS = { self: '/cart', orders: '/orders' }

const takes: Payload = { name: 'NewCart', schema: objectSchema(cartFields), example: examples.replaceCart }

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
  const read = { scope: 'cart:read', kind: 'record', record: 'cart', tag: 'cart', gives } as const
  const write = { ...read, scope: 'cart:write' } as const
  return route('/cart', {
    GET: {
      ...read,
      operationId: 'getCart',
      summary: 'Get the cart',
      description: 'Returns the cart of the caller. A cart that was never changed is empty.',
      async run(call) {
        rejectParameters(call.search, call.prefer.lenient)
        return toResult(await readCart(call))
      },
    },
    PUT: {
      ...write,
      operationId: 'replaceCart',
      summary: 'Replace the cart',
      description: 'Replaces the lines of the cart and returns it. Prices are those of the products.',
      takes,
      accepts: BODY_TYPES,
      run: (call) => change(call, () => readLines(readValue(call, cartFields, 'cart'), call)),
    },
    PATCH: {
      ...write,
      operationId: 'updateCart',
      summary: 'Update the cart',
      description: 'Changes the lines of the cart by JSON Merge Patch or JSON Patch, and returns it.',
      takes,
      accepts: PATCH_TYPES,
      idempotency: 'optional',
      run: (call) =>
        change(call, ({ items, total, updatedAt }) => {
          const patched = applyPatch(call.bodyType, { items, total, updatedAt }, parseJson(call.body))
          return checkedPatch(call.bodyType, () => readLines(patched, call))
        }),
    },
    DELETE: {
      ...write,
      operationId: 'clearCart',
      summary: 'Clear the cart',
      description: 'Removes all lines from the cart.',
      run: async (call) => {
        await change(call, () => [])
        return NO_CONTENT
      },
    },
  })
}

// Clients may send back what they received. What the server computes is ignored.
function readLines(body: unknown, { prefer: { lenient } }: ActionContext): readonly CartLine[] {
  const { total: _, updatedAt: __, ...cart } = requireObject(body)
  const { items } = validate(cart, { fields: cartFields, mode: 'update', lenient })
  return items as CartLine[]
}

function change(call: ActionContext, next: (current: Cart) => readonly CartLine[]): Promise<ActionResult> {
  return inTransaction(call, async (work) => {
    const current = await readCart(work, forUpdate(work.db))
    call.requireCurrent({ version: toVersion(current), lastModified: Date.parse(current.updatedAt) })
    await writeCart(current, next(current), work)
    return call.prefer.return === 'minimal' ? MINIMAL : toResult(await readCart(work))
  })
}

function toResult(cart: Cart): ActionResult {
  const { items, total, updatedAt } = cart
  const value = { items, total, updatedAt }
  const content = { kind: 'record', name: 'cart', value, links: LINKS, form } as const
  // Without a date: prices change later than the cart (RFC 9110 §8.8.2.1).
  return { status: 200, cache: 'never', version: toVersion(cart), content }
}

const form = createForm('cart', 'PUT', cartFields, 'cart:write')

// Its revision does not change with the prices.
function toVersion(cart: Cart): string {
  return JSON.stringify(cart)
}
