import type { Connection } from '../../database/connection.ts'
import { storeMoney } from '../../engine/money.ts'
import { euros } from './euros.ts'
import { insertKept } from './insert.ts'
import type { Random } from './random.ts'
import { CATEGORIES, PRODUCTS } from './words.ts'

/** 60 products in 10 categories. */
export async function seedCatalogue(db: Connection, random: Random): Promise<void> {
  const categories = CATEGORIES.map((name) => ({ name, parentId: name === 'Audio' || name === 'Lighting' ? 1 : null }))
  await insertKept(db, 'categories', categories)
  const products = PRODUCTS.flatMap((group, category) =>
    group.map(([name, price], at) => ({
      sku: `${(CATEGORIES[category] ?? '').slice(0, 3).toUpperCase()}-${String(at + 1).padStart(4, '0')}`,
      name,
      description: `${name} from our ${(CATEGORIES[category] ?? '').toLowerCase()} range`,
      categoryId: category + 1,
      ...storeMoney('price', euros(price)),
      stock: category === 0 && at === 0 ? 25 : random.chance(0.1) ? 0 : random.between(3, 200),
      discontinued: name === 'Dictionary' || name === 'Radio' ? 1 : 0,
    })),
  )
  await insertKept(db, 'products', products)
}
