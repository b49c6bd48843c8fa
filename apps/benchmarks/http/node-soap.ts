import { createServer } from 'node:http'
import { listen } from 'soap'
import { contract, contractFile, findCustomer } from './customers.ts'
import { serve } from './serve.ts'

// node-soap with the contract of the reference server, on SQLite. It asks for no credentials and
// keeps no log.
const getCustomer = ({ customerId }: { customerId: bigint | number | string }): object => {
  const customer = findCustomer(customerId)
  if (!customer) throw { Fault: { faultcode: 'soap:Client', faultstring: 'There is no such customer.' } }
  return { customer }
}
const port = { getCustomer }
const services = { CustomerService: { CustomerPort: port, CustomerPortSoap11: port } }
const server = createServer((_req, res) => void res.writeHead(404).end())
listen(server, { path: '/ws/customer', services, xml: contract, uri: contractFile })
serve(server)
