import type { Connection } from '../../database/connection.ts'
import type { CompiledCollection } from '../../engine/compiled-collection.ts'
import type { Money } from '../../engine/money.ts'
import type { PriceList } from './operations.ts'

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
      return { amount, currency, availability: String(product['availability']) }
    },
  }
}
