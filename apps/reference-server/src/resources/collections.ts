import { customers } from './customers.ts'
import type { Collection } from './define.ts'
import { departments } from './departments.ts'
import { employees } from './employees.ts'
import { orders } from './orders.ts'

/** Every collection of the service. */
export const collections: readonly Collection[] = [employees, departments, customers, orders]
