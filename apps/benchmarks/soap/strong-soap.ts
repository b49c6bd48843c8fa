import { soap } from 'strong-soap'
import { createOperations, wsdl as text } from './customers.ts'

const { WSDL, XMLHandler } = soap
const wsdl = await new Promise<InstanceType<typeof WSDL>>((resolve, reject) => {
  const uri = 'http://localhost/customers'
  const done = (error: Error | null, loaded: InstanceType<typeof WSDL>): void =>
    error ? reject(error) : resolve(loaded)
  WSDL.load(uri, { WSDL_CACHE: { [uri]: new WSDL(text, uri, {}) } }, done)
})
const handler = new XMLHandler(wsdl.definitions.schemas, {})
const operation = wsdl.definitions.bindings.CustomersBinding.operations.listCustomers
const descriptor = operation.describe(wsdl.definitions).output.body

export const operations = createOperations(
  (bytes) => handler.xmlToJson(null, bytes.toString(), undefined),
  (customer) => {
    const { body, doc } = XMLHandler.createSOAPEnvelope()
    handler.jsonToXml(body, body.nsContext, descriptor, { ListCustomersResponse: { customer } })
    return Buffer.from(doc.end({ pretty: false }))
  },
)
