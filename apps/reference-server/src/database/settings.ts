import type { Db } from './database.ts'

/** A value that all processes of the service share: the first one that asks makes it. */
export async function sharedSetting(db: Db, name: string, make: () => Promise<string>): Promise<string> {
  const found = await readSetting(db, name)
  if (found !== undefined) return found
  const value = await make()
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await readSetting(db, name)) ?? value
}

/** Sets a value for all processes. */
export async function writeSetting(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Takes a value away. */
export async function dropSetting(db: Db, name: string): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', name).execute()
}

/** A value that some process set. */
export async function readSetting(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row && String(row['value'])
}
