import { collection, failure, field } from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import { creationTime, LIFTED_BY_USER_ADMINS } from './rules.ts'

export const reviews = collection({
  name: 'reviews',
  item: 'review',
  description: 'Reviews of products, one per user and product.',
  example: examples.reviews,
  path: '/products/{productId}/reviews',
  parent: 'products',
  fields: {
    productId: field.reference().readOnly().describe('Product that is reviewed.'),
    userId: field.reference().readOnly().describe('User who wrote the review.'),
    rating: field.integer({ min: 1, max: 5 }).describe('Rating in stars.'),
    title: field.text({ max: 120 }).optional().describe('Headline of the review.'),
    comment: field.prose({ max: 4000 }).optional().describe('Text of the review.'),
    createdAt: creationTime,
  },
  sort: ['rating', 'createdAt'],
  filters: ['rating', 'userId'],
  links: { product: '/products/{productId}' },
  owner: { field: 'userId', is: 'userId', liftedBy: LIFTED_BY_USER_ADMINS },
  methods: ['GET', 'POST', 'DELETE'],
  publicRead: true,
  cache: 'public',
  hooks: {
    beforeSave(next, _previous, { caller }) {
      if (caller?.userId === undefined) throw failure('FORBIDDEN.review')
      next.userId = caller.userId
    },
  },
})
