import {
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
  selectFields,
  writeInsert,
} from '../engine/index.ts'
import { products } from './products.ts'

/** One product in an order; what is optional the server sets. */
export interface OrderLine {
  id?: number | undefined
  productId: number
  quantity: number
  unitPrice?: Money | undefined
  lineTotal?: Money | undefined
}

/** Fields of a line. Clients send product and quantity, the server sets the prices. */
export const lineFields = {
  productId: field.reference().describe('Product that is ordered.'),
  quantity: field.integer({ min: 1, max: 999 }).describe('Number of pieces.'),
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

/** The total of lines in one currency. */
export interface PricedLines {
  lines: PricedLine[]
  /** Currency of the lines; `undefined` if there have never been any. */
  currency: string | undefined
  total: Money
}

/** Context of lines: earlier prices, currency and place in the request body. */
export interface LinesContext {
  /** Lines that keep the price they were ordered at. @defaultValue none */
  before?: readonly Pick<OrderLine, 'productId' | 'unitPrice'>[]
  /** The currency that all lines must have. @defaultValue that of the first line */
  currency?: string | undefined
  /** JSON Pointer to the product of a line. @defaultValue `/items/<index>/productId` */
  pointerTo?: (index: number) => string
}

/**
 * Adds its price to every line: that of the product, or the one it was ordered at. A line in
 * another currency than the first one is rejected with 422.
 */
export async function priceLines(
  db: Connection,
  lines: readonly OrderLine[],
  { before = [], currency: required, pointerTo = (index) => `/items/${index}/productId` }: LinesContext = {},
): Promise<PricedLines> {
  const prices = new Map<number, Money>()
  if (lines.length > 0) {
    const ids = [...new Set(lines.map(({ productId }) => productId))]
    const rows = await selectFields(db, products, ['id', 'price'], `where "id" in (${marks(ids)})`, ids)
    for (const { id, price } of rows) prices.set(Number(id), price)
  }
  for (const { productId, unitPrice } of before) if (unitPrice) prices.set(productId, unitPrice)
  const priced: PricedLine[] = []
  let currency = required
  for (const [index, { productId, quantity }] of lines.entries()) {
    const pointer = pointerTo(index)
    const price = prices.get(productId)
    if (!price) return rejectValue('UNKNOWN_REFERENCE.item', pointer, { item: noun('product'), id: productId })
    currency ??= price.currency
    if (price.currency !== currency)
      rejectValue('CURRENCY_MISMATCH.price', pointer, { currency: price.currency, expected: currency })
    priced.push(withinRange(pointer, () => priceLine({ productId, quantity }, price)))
  }
  return { lines: priced, currency, total: withinRange('', () => addUpLines(priced, currency)) }
}

export function priceLine(line: OrderLine, unitPrice: Money): PricedLine {
  return { ...line, unitPrice, lineTotal: money.times(unitPrice, line.quantity) }
}

/** Adds up lines of one currency. Without lines, the total is zero in the first currency. */
export function addUpLines(lines: readonly PricedLine[], currency = lines[0]?.lineTotal.currency ?? FIRST): Money {
  return money.sum(
    lines.map(({ lineTotal }) => lineTotal),
    currency,
  )
}

const [FIRST = ''] = money.CURRENCIES

/** Runs a computation. A result with too many digits is rejected with 422. */
export function withinRange<T>(pointer: string, compute: () => T): T {
  try {
    return compute()
  } catch (error) {
    if (!(error instanceof money.MoneyError)) throw error
    return rejectValue('BUSINESS_RULE.amount', pointer)
  }
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
      order.items = (lines.get(Number(order.id)) ?? []).map(({ id, productId, quantity, ...row }) =>
        priceLine({ id, productId, quantity }, money.fromColumns(row, 'unitPrice')),
      )
  })
}

export async function removeLines(db: Connection, orderId: Id): Promise<void> {
  await db.run('delete from "order_items" where "orderId" = ?', [Number(orderId)])
}

/** Adds lines to an order that has none. Returns them with their ids. */
export async function addLines(
  db: Connection,
  orderId: Id,
  lines: readonly PricedLine[],
  now: string,
): Promise<PricedLine[]> {
  if (lines.length === 0) return []
  const rows = lines.map(({ productId, quantity, unitPrice }) => ({
    orderId: Number(orderId),
    productId,
    quantity,
    ...money.toColumns('unitPrice', unitPrice),
    createdAt: now,
    updatedAt: now,
  }))
  const { sql, values } = writeInsert('order_items', rows)
  const inserted = await db.all<{ id: number }>(`${sql} returning "id"`, values)
  // Ids are assigned in the order of the lines, but returned in any order.
  inserted.sort((a, b) => a.id - b.id)
  return lines.map((line, index) => ({ id: inserted[index]?.id, ...line }))
}

/** Whether two orders have the same products in the same quantities. */
export function sameLines(a: readonly OrderLine[], b: readonly OrderLine[]): boolean {
  if (a.length !== b.length) return false
  return a.every(
    ({ productId, quantity }, index) => productId === b[index]?.productId && quantity === b[index]?.quantity,
  )
}
