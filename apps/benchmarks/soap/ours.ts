import { formatEnvelope, parseContract, parseEnvelope } from '@svc/soap-envelope'
import { createOperations, namespace, wsdl } from './customers.ts'

const { schema } = parseContract(wsdl)
const name = { uri: namespace, local: 'ListCustomersResponse' }
// A message of 1 MB has more elements than the limits of a service allow.
const limits = { maxBytes: 4 * 2 ** 20, maxElements: 100_000 }

/** Envelope and content, both checked against every rule and the schema. */
export const operations = createOperations(
  async (bytes) => {
    const { body } = await parseEnvelope(bytes, { limits })
    if (!body) throw new Error('the message is empty')
    return schema.decode(body)
  },
  (customer) => Buffer.from(formatEnvelope({ version: '1.1', body: schema.encode(name, { customer }) })),
)
