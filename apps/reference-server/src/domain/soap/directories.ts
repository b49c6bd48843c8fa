import { type HttpError, isHttpError } from '@svc/errors'
import {
  type Caller,
  type CompiledCollection,
  type Connection,
  chain,
  type Database,
  type DocumentValue,
  inPlace,
  insertItem,
  invalid,
  type Money,
  optional,
  parseId,
  problemsIn,
  requireOwn,
  requireScope,
  validate,
} from '../../engine/index.ts'
import { invoice } from '../billing.ts'
import type { OrderDocuments } from './order-documents.ts'
import type { PriceList } from './prices.ts'
import type { CustomerDirectory, SoapCustomer } from './services.ts'

/** The customers of the resource API: the same rows, and the same rules for new ones. */
export function customerDirectory(shape: CompiledCollection, database: Database): CustomerDirectory {
  const { fields } = shape.collection
  const phone = fields['phone']
  if (!phone) throw new TypeError('customers have no phone')
  const writable = { ...fields, phone: optional({ ...phone, writable: { create: true, update: true } }) }
  return {
    find(id, { user }) {
      const key = parseId(String(id))
      if (key === undefined) return undefined
      return chain(shape.repository.readItem(database, key), (item) => {
        if (!item) return undefined
        requireOwn(shape.collection, item, user?.subject as Caller | undefined, 'read')
        const { name, email, phone } = item
        const customer: SoapCustomer = { id, name: String(name), email: String(email) }
        if (typeof phone === 'string') customer.phone = phone
        return customer
      })
    },
    async create({ id, ...customer }, { user, beforeCommit }) {
      const values = checked(customer, writable)
      const now = new Date().toISOString()
      const key = parseId(String(id))
      const caller = user?.subject as Caller | undefined
      await database.transaction(async (tx) => {
        await insertItem(shape, { ...values, id: key }, { db: tx, caller, now, beforehand: inPlace })
        beforeCommit()
      })
    },
  }
}

// The message has the shape that its schema asks for: what is wrong beyond it is a matter of values.
function checked(
  customer: Omit<SoapCustomer, 'id'>,
  fields: CompiledCollection['collection']['fields'],
): Record<string, unknown> {
  try {
    return validate(customer, { fields, mode: 'create', lenient: false })
  } catch (error) {
    if (!isHttpError(error) || error.status !== 400) throw error
    throw invalid(422, 'VALIDATION_FAILED', problemsIn(error as HttpError))
  }
}

const CONDITION =
  '("name" = ? or "sku" = ?) and "categoryId" in (select "id" from "categories" where "categories"."name" = ?)'

/** The prices of the products of the resource API. */
export function priceList(products: CompiledCollection, db: Connection): PriceList {
  return {
    async find(item, category) {
      const conditions = [{ sql: CONDITION, values: [item, item, category] }]
      const [product] = await products.repository.readPage(db, { conditions, sort: [], limit: 1, offset: 0 })
      if (!product) return undefined
      const { amount, currency } = product['price'] as Money
      const { availability, stock } = product
      return { amount, currency, availability: String(availability), stock: Number(stock) }
    },
  }
}

export type DrawInvoice = (invoice: DocumentValue) => Promise<Buffer>

/** The invoices of the orders of the resource API, for senders who may read the order there. */
export function orderDocuments(orders: CompiledCollection, database: Database, draw: DrawInvoice): OrderDocuments {
  return {
    async find(orderId, { user }) {
      const caller = user?.subject as Caller | undefined
      requireScope(caller, 'orders:read')
      const key = parseId(String(orderId))
      const order = typeof key === 'number' ? await orders.repository.readItem(database, key) : undefined
      if (!order) return undefined
      requireOwn(orders.collection, order, caller, 'read')
      const value = await invoice.read(order, database)
      if (!value) return { orderStatus: String(order['status']) }
      const { number, issuedAt } = value
      return { fileName: `invoice-${number}.pdf`, issuedAt: String(issuedAt), bytes: await draw(value) }
    },
  }
}
