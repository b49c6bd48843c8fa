import { collection, document, field } from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }

const AVAILABILITY =
  `case when "discontinued" = 1 then 'DISCONTINUED' when "stock" > 0 then 'IN_STOCK' else 'OUT_OF_STOCK' end` as const

export const products = collection({
  name: 'products',
  item: 'product',
  description: 'Products that can be bought.',
  example: examples.products,
  fields: {
    sku: field
      .text({ min: 3, max: 32, pattern: /^[A-Z0-9-]{3,32}$/, format: 'FORMAT.sku' })
      .describe('Stock keeping unit, unique among products.'),
    name: field.text({ max: 200 }).describe('Name of the product.'),
    description: field.prose({ max: 4000 }).optional().describe('What the product is.'),
    categoryId: field.reference().optional().describe('Category of the product.'),
    price: field.money().describe('Price of one piece, including tax.'),
    stock: field.integer({ min: 0, max: 1_000_000_000 }).optional().describe('Number of pieces in stock.'),
    discontinued: field.boolean().optional().describe('Whether the product is no longer sold.'),
    availability: field
      .choice('IN_STOCK', 'OUT_OF_STOCK', 'DISCONTINUED')
      .computed(AVAILABILITY)
      .describe('Whether the product can be ordered now.'),
  },
  sort: ['sku', 'name', 'categoryId', 'price', 'stock'],
  filters: ['sku', 'name', 'categoryId', 'price', 'stock', 'discontinued'],
  references: { categoryId: 'categories' },
  links: { category: '/categories/{categoryId}', reviews: '/products/{id}/reviews', image: '/products/{id}/image' },
  usedBy: [
    { table: 'order_items', column: 'productId' },
    { table: 'reviews', column: 'productId' },
  ],
  publicRead: true,
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
    productId: field.reference().describe('Product that is shown.'),
    sku: field.text({ max: 32 }).describe('Stock keeping unit of the product.'),
    name: field.text({ max: 200 }).describe('Name of the product.'),
  },
  example: examples.image,
  read: ({ id, sku, name }) => ({ productId: id, sku, name }),
})
