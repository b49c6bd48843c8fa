import { readFileSync } from 'node:fs'
import {
  type AuthenticatedUser,
  type Contract,
  type OperationContext,
  type Operations,
  parseContract,
  type ServiceSettings,
  SoapFault,
  type SoapService,
  soapService,
} from '@svc/soap-envelope'

/** The service at /ws/customer, versions 1 and 2 side by side: the namespace of a message chooses. */
export function customerService(customers: CustomerDirectory, log: EventLog, settings: ServiceSettings): SoapService {
  const operations = customerOperations(customers, log)
  return soapService({ ...settings, versions: contractsOf('customer').map((wsdl) => ({ wsdl, operations })) })
}

/** The service at /ws/PriceService. */
export function priceService(prices: PriceList, settings: ServiceSettings): SoapService {
  const operations = priceOperations(prices)
  return soapService({ ...settings, versions: contractsOf('price').map((wsdl) => ({ wsdl, operations })) })
}

/** The contracts of an interface, version 1 first: `customer` or `price`. Read from the files of this directory. */
export function contractsOf(interfaceName: 'customer' | 'price'): Contract[] {
  return ['v1', 'v2'].map((version) => parseContract(read(`${interfaceName}-${version}.wsdl`), { resolveImport: read }))
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}

/** Sample message of each operation. The seed data can answer it. */
export const SAMPLES: Readonly<Record<string, unknown>> = {
  getCustomer: { customerId: 1n },
  createCustomer: { customer: { id: 4711n, name: 'Katherine Johnson', email: 'katherine@example.org' } },
  logEvent: { event: { type: 'login', timestamp: '2026-11-21T07:30:00Z', source: 'web', detail: 'from the page' } },
  sendNotification: { message: 'Hello from the page.' },
  GetPrice: { Item: 'Laptop', Category: 'Electronics' },
}

/** A customer as the contract knows it; only version 2 has `phone`. */
export interface SoapCustomer {
  id: bigint
  name: string
  email: string
  phone?: string
}

/** The customers behind the service: each method gets the user who sent the message. */
export interface CustomerDirectory {
  find(id: bigint, by: AuthenticatedUser | undefined): SoapCustomer | undefined | Promise<SoapCustomer | undefined>
  /**
   * Stores a customer under its own id. Throws an error with `status` 409 for a taken id or email, 422 for a bad value,
   * 403 if the sender may not create customers.
   */
  create(customer: SoapCustomer, by: AuthenticatedUser | undefined): void | Promise<void>
}

export interface Quote {
  /** Decimal digits: `999.00`. */
  amount: string
  /** ISO 4217. */
  currency: string
  availability: string
}

/** The products behind the price service: found by name or sku, and the name of their category. */
export interface PriceList {
  find(item: string, category: string): Quote | undefined | Promise<Quote | undefined>
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
  /** @param by - the user who sent it */
  event(event: LoggedEvent, by: AuthenticatedUser | undefined): void | Promise<void>
  notification(message: string, by: AuthenticatedUser | undefined): void | Promise<void>
}

/** The operations of CustomerPortType, the same for both versions: a contract leaves out what it does not know. */
export function customerOperations(customers: CustomerDirectory, log: EventLog): Operations {
  return {
    getCustomer: async ({ customerId }: { customerId: bigint }, { user }: OperationContext) => {
      const customer = await customers.find(customerId, user)
      if (!customer) throw fault('NotFound', 404, 'There is no customer with this id.')
      return { customer }
    },
    createCustomer: async ({ customer }: { customer: SoapCustomer }, { user }: OperationContext) => {
      if (customer.id < 1n) throw fault('InvalidValue', 422, 'The id of a customer is a positive number.')
      if (customer.name.trim() === '') throw fault('InvalidValue', 422, 'The name of a customer must not be empty.')
      await customers.create(customer, user)
      return { customerId: customer.id }
    },
    logEvent: ({ event }: { event: LoggedEvent }, { user }: OperationContext) => log.event(event, user),
    sendNotification: ({ message }: { message: string }, { user }: OperationContext) => log.notification(message, user),
  }
}

/** The operation of PricePortType. */
export function priceOperations(prices: PriceList): Operations {
  return {
    GetPrice: async ({ Item, Category }: { Item: string; Category: string }) => {
      const quote = await prices.find(Item, Category)
      if (!quote) throw fault('NotFound', 404, 'There is no such item in this category.')
      return { Price: { value: quote.amount, '@currency': quote.currency }, Availability: quote.availability }
    },
  }
}

function fault(subcode: string, status: number, reason: string): SoapFault {
  return new SoapFault({ code: 'Sender', subcodes: [subcode], status, reason })
}
