import { type Connection, type Database, insertRows } from '../../engine/index.ts'
import { seedCatalogue, seedOrganisation } from './organization.ts'
import { seedPeople } from './people.ts'
import { randomOf } from './random.ts'
import { seedBanking, seedSales } from './sales.ts'

const SEED = 42

/** Fills an empty database with the demo data, once: of several processes that start together, one does. */
export async function seed(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await isFirst(tx))) return
    const random = randomOf(SEED)
    await seedOrganisation(tx, random)
    await seedCatalogue(tx, random)
    await seedPeople(tx, random)
    await seedSales(tx, random)
    await seedBanking(tx, random)
  })
}

async function isFirst(db: Connection): Promise<boolean> {
  return (await insertRows(db, 'settings', [{ name: 'seed', value: String(SEED) }], { orIgnore: true })) === 1
}
