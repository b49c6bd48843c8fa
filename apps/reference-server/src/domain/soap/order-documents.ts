import { createHash } from 'node:crypto'
import type { Handlers, MaybePromise } from '@svc/soap-envelope'
import type { CustomerPortType } from './customer-v2.ts'
import { readSender, type Sender } from './message.ts'

export interface InvoiceFile {
  fileName: string
  /** As in the invoice: a date and a time in UTC. */
  issuedAt: string
  bytes: Buffer
}

/** The invoices behind the service. */
export interface OrderDocuments {
  /**
   * Returns the invoice of an order, or the status of an order that has none; `undefined` if there is no such order.
   * Throws an error with `status` 403 if the sender may not read the order.
   */
  find(orderId: bigint, sender: Sender): MaybePromise<InvoiceFile | { orderStatus: string } | undefined>
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
    context.responseHeaders.receipt = {
      requestId: context.headers.clientContext.requestId,
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
