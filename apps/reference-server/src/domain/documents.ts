import type { Document } from '../engine/define.ts'
import { cancellation } from './cancellation.ts'
import { invoice } from './invoice.ts'
import { orderLabel } from './order-label.ts'
import { orderPayment } from './order-payment.ts'
import { productImage } from './product-image.ts'
import { salaries } from './salaries.ts'
import { tracking } from './tracking.ts'

/** Every document that stands below an item and is no collection. */
export const documents: readonly Document[] = [
  ...[tracking, invoice, cancellation, orderPayment, orderLabel],
  ...[productImage, salaries],
]
