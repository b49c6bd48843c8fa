import { type Handlers, SoapFault } from '@svc/soap-envelope'
import { type CompiledCollection, type Connection, type Money, money } from '../../engine/index.ts'
import { withinRange } from '../order-lines.ts'
import type { PricePortType } from './price-v2.ts'

export type PriceList = ReturnType<typeof priceList>

const CONDITION =
  '("name" = ? or "sku" = ?) and "categoryId" in (select "id" from "categories" where "categories"."name" = ?)'

/** Finds a product of the resource API by its name or sku, and the name of its category. */
export function priceList(products: CompiledCollection, db: Connection) {
  return {
    async find(item: string, category: string) {
      const conditions = [{ sql: CONDITION, values: [item, item, category] }]
      const [product] = await products.repository.readPage(db, { conditions, sort: [], limit: 1, offset: 0 })
      if (!product) return undefined
      const { amount, currency } = product['price'] as Money
      const { availability, stock } = product
      return { amount, currency, availability: String(availability), stock: Number(stock) }
    },
  }
}

const QUOTE_LIFETIME_MS = 86_400_000

/** The operations of PricePortType. Version 1 has only `GetPrice`. */
export function priceOperations(prices: PriceList): Handlers<PricePortType> {
  return {
    GetPrice: async ({ Item, Category }) => {
      const item = await prices.find(Item, Category)
      if (!item) throw new SoapFault({ code: 'Sender', ...NO_ITEM })
      return { Price: { value: item.amount, '@currency': item.currency }, Availability: item.availability }
    },
    GetQuote: async ({ Item, Category, Quantity }, context) => {
      const item = await prices.find(Item, Category)
      if (!item) throw context.fault('ItemNotFound', { Item, Category }, NO_ITEM)
      const { currency, availability, stock } = item
      if (stock < Quantity) throw context.fault('InsufficientStock', { Item, Available: stock }, NOT_ENOUGH)
      const total = withinRange('', () => money.times(item, Quantity))
      const validUntil = new Date(Date.now() + QUOTE_LIFETIME_MS).toISOString()
      context.outputHeaders.validity = { requestId: context.inputHeaders.clientContext.requestId, validUntil }
      return {
        UnitPrice: { value: item.amount, '@currency': currency },
        Total: { value: total.amount, '@currency': currency },
        Availability: availability,
      }
    },
  }
}

const NO_ITEM = { reason: 'There is no such item in this category.', subcodes: ['NotFound'], status: 404 }
const NOT_ENOUGH = { reason: 'Fewer pieces are in stock.', subcodes: ['InvalidValue'], status: 422 }
