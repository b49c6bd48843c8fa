import { createHash } from 'node:crypto'
import type { Handlers } from '@svc/soap-envelope'
import {
  type CompiledCollection,
  type Database,
  type DocumentValue,
  parseId,
  requireOwn,
  requireScope,
} from '../../engine/index.ts'
import { invoice } from '../billing.ts'
import type { CustomerPortType } from './customer-v2.ts'
import { readSender, type Sender } from './message.ts'

export interface InvoiceFile {
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
