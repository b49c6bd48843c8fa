import { type Connection, type Id, quoted } from '../engine/index.ts'

const MAX_CHAIN = 100

/** Returns whether the chain of references from one row reaches another: then a reference back would close a circle. */
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

/** Options of collections that move money: items are created once despite retries, possibly deferred, and never change. */
export const MONEY_MOVEMENT = {
  methods: ['GET', 'POST'],
  idempotency: 'required',
  deferrable: true,
  cache: 'never',
} as const
