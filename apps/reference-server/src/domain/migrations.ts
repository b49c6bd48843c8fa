import { createTableStatements as postgres } from '@svc/idempotency/stores/postgres'
import { createTableStatements as sqlite } from '@svc/idempotency/stores/sqlite'
import { type Connection, createSchema, type Migration, quoted, type Schema } from '../engine/index.ts'
import tables from './tables.json' with { type: 'json' }

/** The migrations in their order. A released step never changes; a change is another step. */
export const migrations: readonly Migration[] = [{ name: '0001-tables', run: createTables }]

async function createTables(tx: Connection): Promise<void> {
  const schema = createSchema(tx)
  const { dialect, run } = schema
  for (const [name, table] of Object.entries<Table>(tables)) await createTable(name, table, schema)
  for (const statement of dialect === 'sqlite' ? sqlite() : postgres()) await run(statement)
}

/** A table of `tables.json`. */
interface Table {
  /** Why it is like this. */
  about?: string
  /** Whether it lacks the columns of resources. */
  isPlain?: boolean
  /** SQL of each column. The types `text` and `long` differ between databases. */
  columns: Readonly<Record<string, string>>
  primaryKey?: readonly string[]
  /** Expressions, by the field that the rule is named after. */
  unique?: Readonly<Record<string, string>>
  sortable?: readonly (string | readonly string[])[]
  indexes?: readonly (readonly string[])[]
}

async function createTable(name: string, declared: Table, schema: Schema): Promise<void> {
  const { columns, isPlain, primaryKey, unique = {}, sortable = [], indexes = [] } = declared
  const { id, text, long, randomHex } = schema
  const lines = Object.entries(columns).map(([column, sql]) => {
    const typed = sql.replace(/^(?:text|long)\b/, (type) => (type === 'text' ? text : long))
    return `${quoted(column)} ${typed.replace('{randomHex}', randomHex)}`
  })
  if (!isPlain && !columns['id']) lines.unshift(id)
  if (primaryKey) lines.push(`primary key (${primaryKey.map(quoted).join(', ')})`)
  await (isPlain ? schema.plainTable(name, lines) : schema.table(name, lines))
  for (const [field, expression] of Object.entries(unique)) await schema.unique(name, field, expression)
  await schema.sortable(name, sortable)
  for (const indexed of indexes) await schema.index(name, indexed)
}
