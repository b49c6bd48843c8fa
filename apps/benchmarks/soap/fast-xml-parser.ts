import { XMLBuilder, XMLParser } from 'fast-xml-parser'
import { createOperations, namespace } from './customers.ts'

const parser = new XMLParser({ ignoreAttributes: false, removeNSPrefix: true })
const builder = new XMLBuilder({ ignoreAttributes: false })

/** No contract, no checks: objects as they come. */
export const operations = createOperations(
  (bytes) => parser.parse(bytes),
  (customer) => {
    const content = { '@_xmlns': namespace, customer }
    const envelope = {
      '@_xmlns:s': 'http://schemas.xmlsoap.org/soap/envelope/',
      's:Body': { ListCustomersResponse: content },
    }
    return Buffer.from(builder.build({ 's:Envelope': envelope }))
  },
)
