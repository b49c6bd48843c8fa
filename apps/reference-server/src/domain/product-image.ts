import type { Document } from '../engine/define.ts'
import { reference, text } from '../engine/fields.ts'
import { described } from '../engine/modifiers.ts'

/** What the picture of a product shows. */
export const productImage: Document = {
  name: 'image',
  path: '/products/{id}/image',
  parent: 'products',
  scope: 'products',
  cache: 'catalogue',
  summary: 'Get the image of a product',
  description: 'Returns the image of a product as SVG or PNG, or the data that it shows.',
  gives: {
    productId: described(reference(), 'Product that is shown.'),
    sku: described(text({ max: 32 }), 'Stock keeping unit of the product.'),
    name: described(text({ max: 200 }), 'Name of the product.'),
  },
  example: { productId: 1, sku: 'ELE-0001', name: 'Laptop' },
  read: ({ id, sku, name }) => ({ productId: id, sku, name }),
  links: ({ id }) => ({ product: `/products/${id}` }),
}
