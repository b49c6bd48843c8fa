import type { Db } from './database.ts'

/** A value that all processes of the service share: the first one that asks makes it. */
export async function sharedSetting(db: Db, name: string, make: () => Promise<string>): Promise<string> {
  const found = await read(db, name)
  if (found !== undefined) return found
  const value = await make()
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await read(db, name)) ?? value
}

async function read(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row && String(row['value'])
}
