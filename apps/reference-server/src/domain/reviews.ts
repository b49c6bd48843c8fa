import { collection, failure } from '../engine/define.ts'
import { integer, moment, prose, reference, text } from '../engine/fields.ts'
import { optional, readOnly } from '../engine/modifiers.ts'

/** What users say about products, once each. */
export const reviews = collection({
  name: 'reviews',
  item: 'review',
  path: '/products/{productId}/reviews',
  parent: 'products',
  fields: {
    productId: readOnly(reference()),
    userId: readOnly(reference()),
    rating: integer({ min: 1, max: 5 }),
    title: optional(text({ max: 120 })),
    comment: optional(prose({ max: 4000 })),
    createdAt: readOnly(moment()),
  },
  sort: ['rating', 'createdAt'],
  filters: ['rating', 'userId'],
  links: { product: '/products/{productId}' },
  owner: {
    field: 'userId',
    is: 'userId',
    liftedBy: { read: { scopes: ['users:admin'] }, write: { scopes: ['users:admin'] } },
  },
  methods: ['GET', 'POST', 'DELETE'],
  read: 'anybody',
  cache: 'catalogue',
  hooks: {
    prepare(next, _previous, { caller }) {
      if (caller?.userId === undefined) throw failure('FORBIDDEN.review')
      next.userId = caller.userId
    },
  },
})
