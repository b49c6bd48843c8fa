import { createHash } from 'node:crypto'
import { HttpError } from '@svc/errors'
import { type Handlers, type OperationContext, SoapFault } from '@svc/soap-envelope'
import {
  type CompiledCollection,
  chain,
  type Database,
  type DocumentValue,
  inPlace,
  insertItem,
  invalid,
  keepItems,
  type MaybePromise,
  parseId,
  problemsIn,
  requireOwn,
  requireScope,
  validate,
} from '../../engine/index.ts'
import { invoice } from '../billing.ts'
import { phone } from '../customers.ts'
import type { EventLog } from '../soap-log.ts'
import type {
  CreateCustomerRequest,
  Customer,
  CustomerPortType,
  GetCustomerRequest,
  LogEventRequest,
  SendNotificationRequest,
} from './customer-v2.ts'
import { getMessage, readSender, type Sender } from './message.ts'

export type CustomerDirectory = ReturnType<typeof customerDirectory>

/** The customers of the resource API: the same rows, and the same rules for new ones. */
export function customerDirectory(shape: CompiledCollection, database: Database) {
  const writable = { ...shape.collection.fields, phone: phone.optional() }
  const readItem = keepItems(shape.repository)
  return {
    /** Finds a customer as the contract has it; only version 2 has `phone`. */
    find(id: bigint, { caller, changes }: Sender): MaybePromise<Customer | undefined> {
      const key = parseId(String(id))
      if (key === undefined) return undefined
      return chain(readItem(database, key, changes), (item) => {
        if (!item) return undefined
        requireOwn(shape.collection, item, caller, 'read')
        const { name, email, phone } = item
        const customer: Customer = { id, name: String(name), email: String(email) }
        if (typeof phone === 'string') customer.phone = phone
        return customer
      })
    },
    /**
     * Stores a customer under its own id. Throws an error with `status` 409 for a taken id or
     * email, 422 for a bad value, 403 if the sender may not create customers.
     */
    async create({ id, ...customer }: Customer, { caller, beforeCommit }: Sender): Promise<void> {
      requireScope(caller, 'customers:write')
      const values = checked(customer, writable)
      const now = new Date().toISOString()
      const key = parseId(String(id))
      await database.transaction(async (tx) => {
        await insertItem(shape, { ...values, id: key }, { db: tx, caller, now, beforehand: inPlace })
        beforeCommit()
      })
    },
  }
}

// The message has the shape that its schema asks for: what is wrong beyond it is a matter of
// values.
function checked(
  customer: Omit<Customer, 'id'>,
  fields: CompiledCollection['collection']['fields'],
): Record<string, unknown> {
  try {
    return validate(customer, { fields, mode: 'create', lenient: false })
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 400) throw error
    throw invalid(422, 'VALIDATION_FAILED', problemsIn(error))
  }
}

/**
 * The operations of CustomerPortType, the same for both versions: a contract leaves out what it
 * does not know.
 */
export function customerOperations(customers: CustomerDirectory, log: EventLog) {
  return {
    getCustomer: ({ customerId }: GetCustomerRequest, context: OperationContext) =>
      chain(customers.find(customerId, readSender(context)), (customer) => {
        if (!customer) throw fault('NotFound', 404, 'There is no customer with this id.')
        return { customer }
      }),
    createCustomer: async ({ customer }: CreateCustomerRequest, context: OperationContext) => {
      if (customer.id < 1n) throw fault('InvalidValue', 422, 'The id of a customer is a positive number.')
      if (customer.name.trim() === '') throw fault('InvalidValue', 422, 'The name of a customer must not be empty.')
      await customers.create(customer, readSender(context))
      return { customerId: customer.id }
    },
    logEvent: ({ event }: LogEventRequest, context: OperationContext) =>
      store(context, (sender) => log.event(event, sender)),
    sendNotification: ({ message }: SendNotificationRequest, context: OperationContext) =>
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

interface InvoiceFile {
  fileName: string
  /** As in the invoice: a date and a time in UTC. */
  issuedAt: string
  bytes: Buffer
}

type DrawInvoice = (invoice: DocumentValue) => Promise<Buffer>

export type OrderDocuments = ReturnType<typeof orderDocuments>

/** The invoices of the orders of the resource API, for senders who may read the order there. */
export function orderDocuments(orders: CompiledCollection, database: Database, draw: DrawInvoice) {
  return {
    async find(orderId: bigint, { caller }: Sender): Promise<InvoiceFile | { orderStatus: string } | undefined> {
      requireScope(caller, 'orders:read')
      const key = parseId(String(orderId))
      const order = typeof key === 'number' ? await orders.repository.readItem(database, key) : undefined
      if (!order) return undefined
      requireOwn(orders.collection, order, caller, 'read')
      const value = await invoice.read(order, database)
      if (!value) return { orderStatus: String(order['status']) }
      const { number, issuedAt } = value
      return { fileName: `invoice-${number}.pdf`, issuedAt: String(issuedAt), bytes: await draw(value) }
    },
  }
}

type OrderDocumentHandlers = Pick<Handlers<CustomerPortType>, 'getOrderDocument' | 'verifyOrderDocument'>
type Context = Parameters<OrderDocumentHandlers['getOrderDocument']>[1]

/** The operations that version 2 of CustomerPortType has in addition. */
export function orderDocumentOperations(documents: OrderDocuments): OrderDocumentHandlers {
  const read = async (orderId: bigint, context: Context): Promise<InvoiceFile> => {
    const file = await documents.find(orderId, readSender(context))
    if (!file) throw context.fault('OrderNotFound', { orderId }, notFound('There is no order with this id.'))
    if (!('bytes' in file)) {
      const reason = 'The order has no invoice before it is paid.'
      throw context.fault('DocumentNotAvailable', { orderId, ...file }, notFound(reason))
    }
    context.outputHeaders.receipt = {
      requestId: context.inputHeaders.clientContext.requestId,
      issuedAt: file.issuedAt,
      sha256: createHash('sha256').update(file.bytes).digest(),
    }
    return file
  }
  return {
    getOrderDocument: async ({ orderId }, context) => {
      const { fileName, bytes } = await read(orderId, context)
      return { fileName, mediaType: 'application/pdf', document: bytes }
    },
    verifyOrderDocument: async ({ orderId, document }, context) => {
      const { bytes } = await read(orderId, context)
      return { isGenuine: bytes.equals(document) }
    },
  }
}

function notFound(reason: string) {
  return { reason, subcodes: ['NotFound'], status: 404 }
}
