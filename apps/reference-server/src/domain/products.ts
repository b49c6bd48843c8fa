import {
  choice,
  collection,
  computed,
  described,
  document,
  flag,
  integer,
  money,
  optional,
  prose,
  reference,
  text,
} from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }

const AVAILABILITY =
  `case when "discontinued" = 1 then 'DISCONTINUED' when "stock" > 0 then 'IN_STOCK' else 'OUT_OF_STOCK' end` as const

export const products = collection({
  name: 'products',
  item: 'product',
  description: 'Products that can be bought.',
  example: examples.products,
  fields: {
    sku: described(
      text({ min: 3, max: 32, pattern: /^[A-Z0-9-]{3,32}$/, format: 'FORMAT.sku' }),
      'Stock keeping unit, unique among products.',
    ),
    name: described(text({ max: 200 }), 'Name of the product.'),
    description: described(optional(prose({ max: 4000 })), 'What the product is.'),
    categoryId: described(optional(reference()), 'Category of the product.'),
    price: described(money(), 'Price of one piece, including tax.'),
    stock: described(optional(integer({ min: 0, max: 1_000_000_000 })), 'Number of pieces in stock.'),
    discontinued: described(optional(flag()), 'Whether the product is no longer sold.'),
    availability: described(
      computed(choice('IN_STOCK', 'OUT_OF_STOCK', 'DISCONTINUED'), AVAILABILITY),
      'Whether the product can be ordered now.',
    ),
  },
  sort: ['sku', 'name', 'categoryId', 'price', 'stock'],
  filters: ['sku', 'name', 'categoryId', 'price', 'stock', 'discontinued'],
  references: { categoryId: 'categories' },
  links: { category: '/categories/{categoryId}', reviews: '/products/{id}/reviews', image: '/products/{id}/image' },
  usedBy: [
    { table: 'order_items', column: 'productId' },
    { table: 'reviews', column: 'productId' },
  ],
  read: 'public',
  cache: 'public',
  hooks: {
    beforeSave(next) {
      next.stock ??= 0
      next.discontinued ??= false
    },
  },
})

export const productImage = document({
  name: 'image',
  path: '/products/{id}/image',
  parent: products,
  scope: 'products',
  cache: 'public',
  summary: 'Get the image of a product',
  description: 'Returns the image of a product as SVG or PNG, or the data that it shows.',
  gives: {
    productId: described(reference(), 'Product that is shown.'),
    sku: described(text({ max: 32 }), 'Stock keeping unit of the product.'),
    name: described(text({ max: 200 }), 'Name of the product.'),
  },
  example: examples.image,
  read: ({ id, sku, name }) => ({ productId: id, sku, name }),
  links: ({ id }) => ({ product: `/products/${id}` }),
})
