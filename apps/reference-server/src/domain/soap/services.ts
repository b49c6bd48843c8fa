import { readFileSync } from 'node:fs'
import {
  type Contract,
  type OperationContext,
  parseContract,
  type ServiceSettings,
  SoapFault,
  type SoapService,
  soapService,
} from '@svc/soap-envelope'
import { chain, type MaybePromise } from '../../engine/index.ts'
import { getMessage, readSender, type Sender } from './message.ts'
import { type OrderDocuments, orderDocumentOperations } from './order-documents.ts'
import { type PriceList, priceOperations } from './prices.ts'

/** The service at /ws/customer, versions 1 and 2 side by side: the namespace of a message chooses. */
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

/** The contracts of an interface, version 1 first: `customer` or `price`. Read from the files of this directory. */
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

/** A customer as the contract knows it; only version 2 has `phone`. */
export interface SoapCustomer {
  id: bigint
  name: string
  email: string
  phone?: string
}

/** The customers behind the service: each method gets the sender of the message. */
export interface CustomerDirectory {
  find(id: bigint, sender: Sender): MaybePromise<SoapCustomer | undefined>
  /**
   * Stores a customer under its own id. Throws an error with `status` 409 for a taken id or email, 422 for a bad value,
   * 403 if the sender may not create customers.
   */
  create(customer: SoapCustomer, sender: Sender): void | Promise<void>
}

export interface LoggedEvent {
  type: string
  /** xs:dateTime, as it was sent. */
  timestamp: string
  source: string
  detail?: string
}

/** Storage for the messages of one-way operations. */
export interface EventLog {
  event(event: LoggedEvent, sender: Sender): void | Promise<void>
  notification(message: string, sender: Sender): void | Promise<void>
}

/** The operations of CustomerPortType, the same for both versions: a contract leaves out what it does not know. */
export function customerOperations(customers: CustomerDirectory, log: EventLog) {
  return {
    getCustomer: ({ customerId }: { customerId: bigint }, context: OperationContext) =>
      chain(customers.find(customerId, readSender(context)), (customer) => {
        if (!customer) throw fault('NotFound', 404, 'There is no customer with this id.')
        return { customer }
      }),
    createCustomer: async ({ customer }: { customer: SoapCustomer }, context: OperationContext) => {
      if (customer.id < 1n) throw fault('InvalidValue', 422, 'The id of a customer is a positive number.')
      if (customer.name.trim() === '') throw fault('InvalidValue', 422, 'The name of a customer must not be empty.')
      await customers.create(customer, readSender(context))
      return { customerId: customer.id }
    },
    logEvent: ({ event }: { event: LoggedEvent }, context: OperationContext) =>
      store(context, (sender) => log.event(event, sender)),
    sendNotification: ({ message }: { message: string }, context: OperationContext) =>
      store(context, (sender) => log.notification(message, sender)),
  }
}

// The endpoint responds to a one-way operation after its message is stored.
function store(context: OperationContext, write: (sender: Sender) => void | Promise<void>): Promise<void> {
  const stored = (async () => write(readSender(context)))()
  const message = getMessage(context.request)
  if (message) message.stored = stored
  return stored
}

function fault(subcode: string, status: number, reason: string): SoapFault {
  return new SoapFault({ code: 'Sender', subcodes: [subcode], status, reason })
}
