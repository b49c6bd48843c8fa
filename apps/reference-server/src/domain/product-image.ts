import type { Document } from '../engine/define.ts'

/** What the picture of a product shows. */
export const productImage: Document = {
  name: 'image',
  path: '/products/{id}/image',
  parent: 'products',
  scope: 'products',
  cache: 'catalogue',
  read: ({ id, sku, name }) => ({ productId: id, sku, name }),
  links: ({ id }) => ({ product: `/products/${id}` }),
}
