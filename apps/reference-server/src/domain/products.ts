import { collection } from '../engine/define.ts'
import { choice, flag, integer, prose, reference, text } from '../engine/fields.ts'
import { computed, optional } from '../engine/modifiers.ts'
import { money } from '../engine/money-field.ts'

const AVAILABILITY =
  `case when "discontinued" = 1 then 'DISCONTINUED' when "stock" > 0 then 'IN_STOCK' else 'OUT_OF_STOCK' end` as const

/** What can be bought. */
export const products = collection({
  name: 'products',
  item: 'product',
  fields: {
    sku: text({ min: 3, max: 32, pattern: /^[A-Z0-9-]{3,32}$/, format: 'FORMAT.sku' }),
    name: text({ max: 200 }),
    description: optional(prose({ max: 4000 })),
    categoryId: optional(reference()),
    price: money(),
    stock: optional(integer({ min: 0, max: 1_000_000_000 })),
    discontinued: optional(flag()),
    availability: computed(choice('IN_STOCK', 'OUT_OF_STOCK', 'DISCONTINUED'), AVAILABILITY),
  },
  sort: ['sku', 'name', 'categoryId', 'price', 'stock'],
  filters: ['sku', 'name', 'categoryId', 'price', 'stock', 'discontinued'],
  references: { categoryId: 'categories' },
  links: { category: '/categories/{categoryId}', reviews: '/products/{id}/reviews', image: '/products/{id}/image' },
  usedBy: [
    { table: 'order_items', column: 'productId' },
    { table: 'reviews', column: 'productId' },
  ],
  read: 'anybody',
  cache: 'catalogue',
  hooks: {
    prepare(next) {
      next.stock ??= 0
      next.discontinued ??= false
    },
  },
})
