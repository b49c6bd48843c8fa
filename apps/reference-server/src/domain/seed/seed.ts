import type { Database, Db } from '../../database/database.ts'
import { seedBanking } from './banking.ts'
import { seedCatalogue } from './catalogue.ts'
import { seedOrganisation } from './organisation.ts'
import { seedPeople } from './people.ts'
import { randomOf } from './random.ts'
import { seedSales } from './sales.ts'

const SEED = 42

/** Fills an empty database with the demo data, once: of several processes that start together, one does. */
export async function seed({ db }: Database): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await isFirst(tx))) return
    const random = randomOf(SEED)
    await seedOrganisation(tx, random)
    await seedCatalogue(tx, random)
    await seedPeople(tx, random)
    await seedSales(tx, random)
    await seedBanking(tx, random)
  })
}

async function isFirst(db: Db): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('settings')
    .values({ name: 'seed', value: String(SEED) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
