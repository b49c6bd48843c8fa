import { collection, field, rejectValue } from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }
import { leadsTo } from './rules.ts'

export const categories = collection({
  name: 'categories',
  item: 'category',
  description: 'Categories of products, each below another one or at the top.',
  example: examples.categories,
  fields: {
    name: field.text({ max: 100 }).describe('Name, unique among categories.'),
    parentId: field.reference().optional().describe('Category that this one is part of.'),
  },
  sort: ['name', 'parentId'],
  references: { parentId: 'categories' },
  links: { parent: '/categories/{parentId}', products: '/products?categoryId={id}' },
  usedBy: [
    { table: 'products', column: 'categoryId' },
    { table: 'categories', column: 'parentId' },
  ],
  publicRead: true,
  cache: 'public',
  hooks: {
    async beforeSave({ id, parentId }, previous, { db }) {
      // A new category has no subcategories yet.
      if (parentId === undefined || !previous) return
      if (await leadsTo(db, { table: 'categories', column: 'parentId' }, parentId, id))
        rejectValue('CATEGORY_CYCLE.parent', '/parentId')
    },
  },
})
