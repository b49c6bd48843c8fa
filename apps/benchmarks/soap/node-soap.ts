import { WSDL } from 'soap'
import { createOperations, namespace, wsdl as text } from './customers.ts'

const wsdl = new WSDL(text, 'http://localhost/customers', {})
await new Promise<void>((resolve, reject) => wsdl.onReady((error: Error | null) => (error ? reject(error) : resolve())))

export const operations = createOperations(
  (bytes) => wsdl.xmlToObject(bytes.toString()),
  (customer) => {
    const body = wsdl.objectToDocumentXML('ListCustomersResponse', { customer }, 't', namespace)
    return Buffer.from(
      `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${body}</soap:Body></soap:Envelope>`,
    )
  },
)
