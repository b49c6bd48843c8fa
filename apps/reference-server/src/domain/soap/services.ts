import { readFileSync } from 'node:fs'
import { type Contract, parseContract, type ServiceSettings, type SoapService, soapService } from '@svc/soap-envelope'
import type { EventLog } from '../soap-log.ts'
import {
  type CustomerDirectory,
  customerOperations,
  type OrderDocuments,
  orderDocumentOperations,
} from './customers.ts'
import { type PriceList, priceOperations } from './prices.ts'

/**
 * The service at /ws/customer, versions 1 and 2 side by side: the namespace of a message chooses.
 */
export function customerService(
  { customers, documents, log }: { customers: CustomerDirectory; documents: OrderDocuments; log: EventLog },
  settings: ServiceSettings,
): SoapService {
  const operations = customerOperations(customers, log)
  const [v1, v2] = readContracts('customer')
  const versions = [
    { wsdl: v1, operations },
    { wsdl: v2, operations: { ...operations, ...orderDocumentOperations(documents) } },
  ]
  return soapService({ ...settings, versions })
}

export function priceService(prices: PriceList, settings: ServiceSettings): SoapService {
  const operations = priceOperations(prices)
  const { GetPrice } = operations
  const [v1, v2] = readContracts('price')
  const versions = [
    { wsdl: v1, operations: { GetPrice } },
    { wsdl: v2, operations },
  ]
  return soapService({ ...settings, versions })
}

/**
 * The contracts of an interface, version 1 first: `customer` or `price`. Read from the files of
 * this directory.
 */
export function readContracts(interfaceName: 'customer' | 'price'): [v1: Contract, v2: Contract] {
  const parse = (version: string) => parseContract(read(`${interfaceName}-${version}.wsdl`), { resolveImport: read })
  return [parse('v1'), parse('v2')]
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}

/** Sample message of each operation. Each succeeds on the seed data. */
export const SAMPLES: Readonly<Record<string, unknown>> = {
  getCustomer: { customerId: 1n },
  createCustomer: { customer: { id: 4711n, name: 'Katherine Johnson', email: 'katherine@example.org' } },
  logEvent: { event: { type: 'login', timestamp: '2026-11-21T07:30:00Z', source: 'web', detail: 'from the page' } },
  sendNotification: { message: 'Hello from the page.' },
  getOrderDocument: { orderId: 1n },
  verifyOrderDocument: { orderId: 1n, document: Buffer.from('%PDF-1.7') },
  GetPrice: { Item: 'Laptop', Category: 'Electronics' },
  GetQuote: { Item: 'Laptop', Category: 'Electronics', Quantity: 2 },
}

/** Sample header blocks, by the names of their parts. */
export const SAMPLE_HEADERS: Readonly<Record<string, unknown>> = {
  clientContext: { application: 'demo', requestId: 'request-1' },
}
