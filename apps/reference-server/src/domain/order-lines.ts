import {
  type ChangeContext,
  type Connection,
  chain,
  field,
  type Id,
  type MaybePromise,
  type Money,
  marks,
  money,
  noun,
  rejectValue,
  type Stored,
  writeInsert,
} from '../engine/index.ts'

/** One product in an order; what is optional the server sets. */
export interface OrderLine {
  id?: number | undefined
  productId: number
  quantity: number
  unitPrice?: Money | undefined
  lineTotal?: Money | undefined
}

/** Maximum number of pieces of a product. */
export const MAX_QUANTITY = 999

/** Fields of a line. Clients send product and quantity, the server sets the prices. */
export const lineFields = {
  productId: field.reference().describe('Product that is ordered.'),
  quantity: field.integer({ min: 1, max: MAX_QUANTITY }).describe('Number of pieces.'),
  unitPrice: field.money().optional().describe('Price of one piece, set by the server.'),
  lineTotal: field.money().optional().describe('Price of all pieces, set by the server.'),
}

const orderLine = field.group({ id: field.reference().optional().describe('Number of the line.'), ...lineFields })

/** The lines of an order, as clients write and read them. */
export const orderLines = field.list<OrderLine>(orderLine, { max: 100 }).comparedBy(sameLines)

/** A line with its price. */
export interface PricedLine extends OrderLine {
  unitPrice: Money
  lineTotal: Money
}

/** Lines with their prices, and their total in their currency. */
export interface PricedLines {
  lines: PricedLine[]
  /** `undefined` if there have never been any lines. */
  currency: string | undefined
  total: Money
}

/** Context of lines: earlier prices, currency and place in the request body. */
export interface LinesContext {
  /** Lines that keep their price, also of discontinued products. @defaultValue none */
  before?: readonly Pick<OrderLine, 'productId' | 'unitPrice'>[]
  /** The currency that all lines must have. @defaultValue that of the first line */
  currency?: string | undefined
  /** JSON Pointer to the product of the only line. @defaultValue `/items/<index>/productId` */
  pointer?: string
}

/**
 * Adds its price to every line, that of the product or the one it was ordered at, and adds them up.
 * A new line of a discontinued product is rejected with 422, and so is a line in another currency
 * than the first one, or with too many digits.
 */
export async function priceLines(
  db: Connection,
  lines: readonly Pick<OrderLine, 'productId' | 'quantity'>[],
  { before = [], currency, pointer: ofOnly }: LinesContext = {},
): Promise<PricedLines> {
  const ids: number[] = []
  for (const { productId } of lines) if (!ids.includes(productId)) ids.push(productId)
  const select = `select "id", "price", "priceCurrency", "discontinued" from "products" where "id" in (${marks(ids)})`
  const prices = new Map<number, PriceRow>()
  if (ids.length > 0) for (const row of await db.all<PriceRow & { id: number }>(select, ids)) prices.set(row.id, row)
  for (const { productId, unitPrice } of before)
    if (unitPrice)
      prices.set(productId, { price: money.toUnits(unitPrice), priceCurrency: unitPrice.currency, discontinued: 0 })
  const priced: PricedLine[] = []
  let total = 0
  let pointer = ''
  try {
    for (const [index, { productId, quantity }] of lines.entries()) {
      pointer = ofOnly ?? `/items/${index}/productId`
      const row = prices.get(productId)
      if (!row) return rejectValue('UNKNOWN_REFERENCE.item', pointer, { item: noun('product'), id: productId })
      const { price, priceCurrency, discontinued } = row
      if (discontinued === 1) rejectValue('BUSINESS_RULE.discontinued', pointer)
      currency ??= priceCurrency
      if (priceCurrency !== currency)
        rejectValue('CURRENCY_MISMATCH.price', pointer, { currency: priceCurrency, expected: currency })
      priced.push(priceLine({ productId, quantity }, price, currency))
      total += price * quantity
    }
    pointer = ''
    return { lines: priced, currency, total: money.fromUnits(total, currency ?? FIRST_CURRENCY) }
  } catch (error) {
    return rejectAmount(error, pointer)
  }
}

interface PriceRow {
  price: number
  priceCurrency: string
  discontinued: number
}

/** Currency of a total without lines. */
export const [FIRST_CURRENCY = ''] = money.CURRENCIES

/** Adds the price of a piece, in minor units. Throws a `MoneyError` if the line costs too much. */
export function priceLine(line: OrderLine, units: number, currency: string): PricedLine {
  const unitPrice = money.fromUnits(units, currency)
  return { ...line, unitPrice, lineTotal: money.fromUnits(units * line.quantity, currency) }
}

/** Runs a computation. A result with too many digits is rejected with 422. */
export function withinRange<T>(pointer: string, compute: () => T): T {
  try {
    return compute()
  } catch (error) {
    return rejectAmount(error, pointer)
  }
}

function rejectAmount(error: unknown, pointer: string): never {
  if (!(error instanceof money.MoneyError)) throw error
  rejectValue('BUSINESS_RULE.amount', pointer)
}

interface LineRow {
  id: number
  orderId: number
  productId: number
  quantity: number
  unitPrice: number
  unitPriceCurrency: string
}

/** Loads the lines of orders with one query. */
export function loadLines(db: Connection, orders: { id: Id; items: OrderLine[] }[]): MaybePromise<void> {
  const ids = orders.map(({ id }) => Number(id))
  const sql = `select "id", "orderId", "productId", "quantity", "unitPrice", "unitPriceCurrency" from "order_items"
    where "orderId" in (${marks(ids)}) order by "id"`
  return chain(db.all<LineRow>(sql, ids), (rows) => {
    const lines = Map.groupBy(rows, ({ orderId }) => orderId)
    for (const order of orders)
      order.items = (lines.get(Number(order.id)) ?? []).map(
        ({ id, productId, quantity, unitPrice, unitPriceCurrency }) =>
          priceLine({ id, productId, quantity }, unitPrice, unitPriceCurrency),
      )
  })
}

/** Writes the priced lines of an order that has none. Returns them with their ids. */
export async function addLines(
  id: Id,
  lines: readonly OrderLine[],
  { db, now }: Pick<ChangeContext, 'db' | 'now'>,
): Promise<{ items: OrderLine[] }> {
  if (lines.length === 0) return { items: [] }
  const orderId = Number(id)
  const rows: Record<string, Stored>[] = []
  for (const { productId, quantity, unitPrice } of lines) {
    if (!unitPrice) throw new Error('a line has no price')
    const price = { unitPrice: money.toUnits(unitPrice), unitPriceCurrency: unitPrice.currency }
    rows.push({ orderId, productId, quantity, ...price, createdAt: now, updatedAt: now })
  }
  const { sql, values } = writeInsert('order_items', rows)
  const inserted = await db.all<{ id: number }>(`${sql} returning "id"`, values)
  // Ids are assigned in the order of the lines, but returned in any order.
  inserted.sort((a, b) => a.id - b.id)
  const items: OrderLine[] = []
  for (const [index, line] of lines.entries()) items.push({ id: inserted[index]?.id, ...line })
  return { items }
}

/** Whether two orders have the same products in the same quantities. */
export function sameLines(a: readonly OrderLine[], b: readonly OrderLine[]): boolean {
  if (a.length !== b.length) return false
  return a.every(
    ({ productId, quantity }, index) => productId === b[index]?.productId && quantity === b[index]?.quantity,
  )
}
