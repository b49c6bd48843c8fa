import type { Collection, Document } from '../engine/index.ts'
import { accounts } from './accounts.ts'
import { cancellation, invoice, orderPayment } from './billing.ts'
import { categories } from './categories.ts'
import { customers } from './customers.ts'
import { departments, salaries } from './departments.ts'
import { employees } from './employees.ts'
import { orderItems } from './order-items.ts'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import { productImage, products } from './products.ts'
import { projects } from './projects.ts'
import { reviews } from './reviews.ts'
import { orderLabel, tracking } from './shipping.ts'
import { notifications, soapEvents } from './soap-log.ts'
import { transfers } from './transfers.ts'
import { users } from './users.ts'

/** Every collection of the service. */
export const collections: readonly Collection[] = [
  employees,
  departments,
  projects,
  products,
  categories,
  reviews,
  customers,
  orders,
  orderItems,
  payments,
  users,
  accounts,
  transfers,
  soapEvents,
  notifications,
]

/** Every document below an item that is not a collection. */
export const documents: readonly Document[] = [
  tracking,
  invoice,
  cancellation,
  orderPayment,
  orderLabel,
  productImage,
  salaries,
]
