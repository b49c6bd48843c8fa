import { type Connection, type Database, HASH_ALGORITHM, insertRows, type Stored } from '../../engine/index.ts'
import schema from '../tables.json' with { type: 'json' }
import demoData from './demo-data.json' with { type: 'json' }
import { DEMO_PASSWORD_HASHES, DEMO_USERS } from './demo-users.ts'

/** Rows of a table. Their ids count from 1 in their order. */
interface DemoTable {
  columns: readonly string[]
  rows: readonly (readonly Stored[])[]
}

/** Changes with the demo data. */
const REVISION = '42'

const BATCH = 50
// The first working day of 2026 begins.
const START = Date.UTC(2026, 0, 5, 8)
const HOUR_MS = 3_600_000

/** Tables without the columns of resources. */
const PLAIN = new Set(Object.entries(schema).flatMap(([name, table]) => ('isPlain' in table ? [name] : [])))

/** Inserts the demo data into an empty database, once if several processes start together. */
export async function seed(database: Database): Promise<void> {
  const { customers, customer_ids, ...others } = demoData
  const tables = { customers, customer_ids, users: listUsers(), ...others }
  await database.transaction(async (tx) => {
    const mark = { name: 'seed', value: REVISION }
    if ((await insertRows(tx, 'settings', [mark], { orIgnore: true })) === 0) return
    for (const [name, table] of Object.entries<DemoTable>(tables)) await insertTable(tx, name, table)
  })
}

function listUsers(): DemoTable {
  return {
    columns: ['username', 'email', 'displayName', 'roles', 'customerId', 'passwordHash'],
    rows: DEMO_USERS.map(({ username, displayName, role, customer = null }) => {
      const roles = JSON.stringify(role === 'none' ? [] : [role])
      const passwordHash = DEMO_PASSWORD_HASHES[username]?.[HASH_ALGORITHM] ?? ''
      return [username, `${username}@example.com`, displayName, roles, customer, passwordHash]
    }),
  }
}

/** Inserts rows. By default, those of a collection were created an hour apart. */
async function insertTable(db: Connection, name: string, { columns, rows }: DemoTable): Promise<void> {
  const isPlain = PLAIN.has(name)
  const inserted = rows.map((row, hours) => {
    const values: Record<string, Stored> = {}
    for (const [index, column] of columns.entries()) values[column] = row[index] ?? null
    const createdAt = values['createdAt'] ?? new Date(START + hours * HOUR_MS).toISOString()
    return isPlain ? values : { createdAt, updatedAt: createdAt, ...values }
  })
  for (let start = 0; start < inserted.length; start += BATCH)
    await insertRows(db, name, inserted.slice(start, start + BATCH))
}
