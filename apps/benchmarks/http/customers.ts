import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { scratchFolder } from './scratch.ts'

/** The contract that the servers of SOAP share: that of the reference server. */
export const contractFile = fileURLToPath(
  new URL('../../reference-server/src/domain/soap/customer-v2.wsdl', import.meta.url),
)
export const contract = readFileSync(contractFile, 'utf8')

const database = new DatabaseSync(join(scratchFolder(), 'customers.db'))
database.exec(`pragma journal_mode = WAL;
  create table customers (id integer primary key, name text, email text, phone text);
  insert into customers values (1, 'Ada Lovelace', 'ada@example.com', '+44 20 7946 0000')`)
const select = database.prepare('select * from customers where id = ?')

/** Finds a customer in SQLite. */
export function findCustomer(id: bigint | number | string): object | undefined {
  return select.get(Number(id))
}
