import { type Connection, field, type Id, quoted } from '../engine/index.ts'

const MAX_CHAIN = 100

/** Returns whether a chain of references leads from one row to another. */
export async function leadsTo(
  db: Connection,
  { table, column }: { table: string; column: string },
  start: Id,
  target: Id,
): Promise<boolean> {
  const sql = `select ${quoted(column)} as "next" from ${quoted(table)} where "id" = ?`
  let current: Id | undefined = start
  for (let step = 0; step < MAX_CHAIN && current !== undefined; step++) {
    if (current === target) return true
    const row: { next: number | null } | undefined = await db.get<{ next: number | null }>(sql, [current])
    current = row?.next ?? undefined
  }
  return false
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
