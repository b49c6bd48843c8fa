import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { parseContract, SoapFault, soap, soapService } from '@svc/soap-envelope'
import { contract, contractFile, findCustomer } from './customers.ts'
import { serve } from './serve.ts'

// The package without the reference server, on SQLite, with every limit and check of the schema.
// Like node-soap it asks for no credentials and keeps no log.
const parsed = parseContract(contract, {
  resolveImport: (name) => readFileSync(join(dirname(contractFile), name), 'utf8'),
})
const unsupported = (): never => {
  throw new SoapFault({ code: 'Receiver', reason: 'Not part of this benchmark.' })
}
const service = soapService({
  wsdl: parsed,
  operations: {
    ...Object.fromEntries([...parsed.operations.keys()].map((name) => [name, unsupported])),
    getCustomer({ customerId }: { customerId: bigint }) {
      const customer = findCustomer(customerId)
      if (!customer) throw new SoapFault({ code: 'Sender', reason: 'There is no such customer.' })
      return { customer }
    },
  },
})
const handle = soap(service)
serve(createServer((req, res) => handle(req, res, () => void res.writeHead(404).end())))
