import type { Collection } from '../engine/index.ts'
import { accounts } from './accounts.ts'
import { categories } from './categories.ts'
import { customers } from './customers.ts'
import { departments } from './departments.ts'
import { employees } from './employees.ts'
import { orderItems } from './order-items.ts'
import { orders } from './orders.ts'
import { payments } from './payments.ts'
import { products } from './products.ts'
import { projects } from './projects.ts'
import { reviews } from './reviews.ts'
import { notifications, soapEvents } from './soap-log.ts'
import { transfers } from './transfers.ts'
import { users } from './users.ts'

/** Every collection of the service. */
export const collections: readonly Collection[] = [
  ...[employees, departments, projects],
  ...[products, categories, reviews],
  ...[customers, orders, orderItems, payments],
  ...[users, accounts, transfers],
  ...[soapEvents, notifications],
]
