import { readFileSync } from 'node:fs'
import {
  type AuthenticatedUser,
  type Contract,
  type OperationContext,
  type Operations,
  parseContract,
  type ServiceSettings,
  SoapFault,
  type SoapRequest,
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

/** A message at work, as the `context` of its request. */
export class SoapMessage {
  /** Network address that it came from. */
  readonly address: string
  /** Throws if its sender was already told that it failed. */
  beforeCommit: () => void = () => {}
  /** Resolves when what it brought is stored. */
  stored: Promise<void> | undefined

  constructor(address: string) {
    this.address = address
  }
}

/** Returns the message of a request; `undefined` if the service is not behind an endpoint of the server. */
export function getMessage({ context }: SoapRequest): SoapMessage | undefined {
  return context instanceof SoapMessage ? context : undefined
}

/** Who sent a message. */
export interface Sender {
  readonly user: AuthenticatedUser | undefined
  /** Throws if the sender was already told that the message failed. Called last in the transaction that stores it. */
  beforeCommit(): void
}

/** The customers behind the service: each method gets the sender of the message. */
export interface CustomerDirectory {
  find(id: bigint, sender: Sender): SoapCustomer | undefined | Promise<SoapCustomer | undefined>
  /**
   * Stores a customer under its own id. Throws an error with `status` 409 for a taken id or email, 422 for a bad value,
   * 403 if the sender may not create customers.
   */
  create(customer: SoapCustomer, sender: Sender): void | Promise<void>
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
  event(event: LoggedEvent, sender: Sender): void | Promise<void>
  notification(message: string, sender: Sender): void | Promise<void>
}

/** The operations of CustomerPortType, the same for both versions: a contract leaves out what it does not know. */
export function customerOperations(customers: CustomerDirectory, log: EventLog): Operations {
  return {
    getCustomer: async ({ customerId }: { customerId: bigint }, context: OperationContext) => {
      const customer = await customers.find(customerId, readSender(context))
      if (!customer) throw fault('NotFound', 404, 'There is no customer with this id.')
      return { customer }
    },
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

function readSender({ user, request }: OperationContext): Sender {
  return { user, beforeCommit: () => getMessage(request)?.beforeCommit() }
}

// A one-way operation is answered when its message is stored: the endpoint waits for it.
function store(context: OperationContext, write: (sender: Sender) => void | Promise<void>): Promise<void> {
  const stored = (async () => write(readSender(context)))()
  const message = getMessage(context.request)
  if (message) message.stored = stored
  return stored
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
