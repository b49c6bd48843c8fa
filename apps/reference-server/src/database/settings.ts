import type { Connection } from './connection.ts'

/** Returns a value that all processes share. The first process that requests it creates it. */
export async function sharedSetting(db: Connection, name: string, create: () => Promise<string>): Promise<string> {
  const shared = await readSetting(db, name)
  if (shared !== undefined) return shared
  const value = await create()
  await db.run('insert into "settings" ("name", "value") values (?, ?) on conflict do nothing', [name, value])
  return (await readSetting(db, name)) ?? value
}

/** Returns the value that a process set. */
export async function readSetting(db: Connection, name: string): Promise<string | undefined> {
  const row = await db.get<{ value: string }>('select "value" from "settings" where "name" = ?', [name])
  return row?.value
}

/** Sets a value for all processes. */
export async function writeSetting(db: Connection, name: string, value: string): Promise<void> {
  const sql = `insert into "settings" ("name", "value") values (?, ?)
    on conflict ("name") do update set "value" = excluded."value"`
  await db.run(sql, [name, value])
}

/** Removes a value. */
export async function deleteSetting(db: Connection, name: string): Promise<void> {
  await db.run('delete from "settings" where "name" = ?', [name])
}
