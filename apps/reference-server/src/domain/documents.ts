import type { Document } from '../engine/index.ts'
import { invoice, orderPayment } from './billing.ts'
import { cancellation } from './cancellation.ts'
import { productImage } from './products.ts'
import { salaries } from './salaries.ts'
import { orderLabel, tracking } from './shipping.ts'

/** Every document below an item that is not a collection. */
export const documents: readonly Document[] = [
  ...[tracking, invoice, cancellation, orderPayment, orderLabel],
  ...[productImage, salaries],
]
