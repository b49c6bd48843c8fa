import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { listen } from 'soap'
import { scratchFolder } from './scratch.ts'
import { serve } from './serve.ts'

// node-soap with the contract of the reference server, on SQLite. It asks for no credentials and keeps no log.
const file = fileURLToPath(new URL('../../reference-server/src/domain/soap/customer-v2.wsdl', import.meta.url))
const database = new DatabaseSync(join(scratchFolder(), 'customers.db'))
database.exec(`pragma journal_mode = WAL;
  create table customers (id integer primary key, name text, email text, phone text);
  insert into customers values (1, 'Ada Lovelace', 'ada@example.com', '+44 20 7946 0000')`)
const find = database.prepare('select * from customers where id = ?')

const getCustomer = ({ customerId }: { customerId: bigint | number | string }): object => {
  const customer = find.get(Number(customerId))
  if (!customer) throw { Fault: { faultcode: 'soap:Client', faultstring: 'There is no such customer.' } }
  return { customer }
}
const port = { getCustomer }
const services = { CustomerService: { CustomerPort: port, CustomerPortSoap11: port } }
const server = createServer((_req, res) => void res.writeHead(404).end())
listen(server, { path: '/ws/customer', services, xml: readFileSync(file, 'utf8'), uri: file })
serve(server)
