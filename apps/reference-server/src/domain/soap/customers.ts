import { type HttpError, isHttpError } from '@svc/errors'
import { type OperationContext, SoapFault } from '@svc/soap-envelope'
import {
  type CompiledCollection,
  chain,
  type Database,
  inPlace,
  insertItem,
  invalid,
  keepItems,
  type MaybePromise,
  parseId,
  problemsIn,
  requireOwn,
  validate,
} from '../../engine/index.ts'
import { phone } from '../customers.ts'
import type { EventLog } from '../soap-log.ts'
import type {
  CreateCustomerRequest,
  Customer,
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
    if (!isHttpError(error) || error.status !== 400) throw error
    throw invalid(422, 'VALIDATION_FAILED', problemsIn(error as HttpError))
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
