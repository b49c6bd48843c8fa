import { cancellation } from './cancellation.ts'
import type { Document } from './define.ts'
import { invoice } from './invoice.ts'
import { orderPayment } from './order-payment.ts'
import { tracking } from './tracking.ts'

/** Every document that stands below an item and is no collection. */
export const documents: readonly Document[] = [tracking, invoice, cancellation, orderPayment]
