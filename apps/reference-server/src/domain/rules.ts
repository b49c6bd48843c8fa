import { type Connection, field, type Id, quoted } from '../engine/index.ts'

/**
 * Returns whether a chain of references leads from one row to another. A cycle ends the chain. In a
 * transaction, the chains of the table are checked one after the other: each sees what the changes
 * before it have committed.
 */
export async function leadsTo(
  db: Connection,
  { table, column }: { table: string; column: string },
  start: Id,
  target: Id,
): Promise<boolean> {
  if (db.dialect === 'postgres') await db.get('select pg_advisory_xact_lock(hashtext(?))', [table])
  const sql = `with recursive "chain" ("id") as (
      select cast(? as bigint)
      union select ${quoted(column)} from ${quoted(table)} join "chain" using ("id")
    ) select 1 from "chain" where "id" = ?`
  return (await db.get(sql, [start, target])) !== undefined
}

const READERS = ['admin', 'staff', 'reader'] as const

/** Owners see and change their items; staff changes those of everyone. */
export const LIFTED_BY_STAFF = { read: { roles: READERS }, write: { roles: ['admin', 'staff'] } } as const

/** As `LIFTED_BY_STAFF`, but only administrators change what belongs to others. */
export const LIFTED_BY_ADMINS = { read: { roles: READERS }, write: { roles: ['admin'] } } as const

/** Users see and change their items; the scope `users:admin` lifts that. */
export const LIFTED_BY_USER_ADMINS = { read: { scopes: ['users:admin'] }, write: { scopes: ['users:admin'] } } as const

/** Condition for rows that belong to an order of a customer. */
export const ORDER_OF_CUSTOMER = '"orderId" in (select "id" from "orders" where "customerId" = ?)'

/** Options of collections that move money. Their items never change. */
export const MONEY_MOVEMENT = {
  methods: ['GET', 'POST'],
  idempotency: 'required',
  deferrable: true,
  cache: 'never',
} as const

export const creationTime = field.dateTime().readOnly().describe('When it was created.')
