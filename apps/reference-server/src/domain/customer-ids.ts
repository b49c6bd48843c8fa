import { type Connection, insertRows } from '../database/connection.ts'
import type { Id } from '../database/values.ts'

/** Takes a customer id that no one has or ever had: the next one that no client brought. */
export async function nextCustomerId(db: Connection): Promise<Id> {
  for (;;) {
    const row = await db.get<{ id: number }>(`
      insert into "customer_ids" ("id", "brought")
      select coalesce(min("taken"."id"), 0) + 1, 0 from "customer_ids" as "taken"
      where "taken"."id" >= coalesce((select max("id") from "customer_ids" where "brought" = 0), 0)
        and not exists (select 1 from "customer_ids" as "after" where "after"."id" = "taken"."id" + 1)
      on conflict do nothing returning "id"`)
    if (row) return row.id
  }
}

/** Takes an id that a client brought. Returns `false` if a customer has or had it. */
export async function takeCustomerId(db: Connection, id: Id): Promise<boolean> {
  return (await insertRows(db, 'customer_ids', [{ id: BigInt(id), brought: 1 }], { orIgnore: true })) === 1
}
