import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { Id } from '../database/values.ts'

/** A customer id that nobody has or ever had: the next one that no client brought. */
export async function nextCustomerId(db: Db): Promise<Id> {
  for (;;) {
    const { rows } = await sql<{ id: number }>`
      insert into "customer_ids" ("id", "brought")
      select coalesce(min("taken"."id"), 0) + 1, 0 from "customer_ids" as "taken"
      where "taken"."id" >= coalesce((select max("id") from "customer_ids" where "brought" = 0), 0)
        and not exists (select 1 from "customer_ids" as "after" where "after"."id" = "taken"."id" + 1)
      on conflict do nothing returning "id"`.execute(db)
    const [row] = rows
    if (row) return Number(row.id)
  }
}

/** Takes an id that a client brought. `false`: somebody has it or had it. */
export async function takeCustomerId(db: Db, id: Id): Promise<boolean> {
  const row = await db
    .insertInto('customer_ids')
    .values({ id: BigInt(id), brought: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .returning('brought')
    .executeTakeFirst()
  return row !== undefined
}
