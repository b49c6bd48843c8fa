import type { Schema } from './schema.ts'

/** Categories and products. */
export async function up({ table, sortable, unique, id, long, text }: Schema): Promise<void> {
  await table('categories', [id, `"name" ${text} not null`, `"parentId" ${long} references "categories" ("id")`])
  await unique('categories', 'name')
  await sortable('categories', ['name', 'parentId'])

  await table('products', [
    id,
    `"sku" ${text} not null`,
    `"name" ${text} not null`,
    `"description" ${text}`,
    `"categoryId" ${long} references "categories" ("id")`,
    `"price" ${long} not null`,
    `"priceCurrency" ${text} not null`,
    `"stock" ${long} not null check ("stock" >= 0)`,
    '"discontinued" integer not null default 0',
  ])
  await unique('products', 'sku')
  await sortable('products', ['sku', 'name', 'categoryId', 'price', 'stock'])
}
