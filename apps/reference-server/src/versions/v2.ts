import { group } from '../resources/composites.ts'
import { reference, text } from '../resources/fields.ts'
import { optional } from '../resources/modifiers.ts'
import { type Money, minorOf, money, moneyOf } from '../resources/money.ts'
import type { Transform } from './wire.ts'

const MAX_SALARY = 1_000_000_000

/** Version 2: a salary is money, and a department is an object with its id. */
export const v2: Readonly<Record<string, Transform>> = {
  employees: {
    fields: {
      salary: money({ max: MAX_SALARY, currencies: ['EUR'] }),
      department: group({ id: optional(reference()), name: text({ max: 100 }) }),
    },
    down: ({ department, salary, ...rest }, { departmentId }) => ({
      ...rest,
      department: departmentId === undefined ? { name: department } : { id: departmentId, name: department },
      salary: moneyOf(Math.round(Number(salary) * 100), 'EUR'),
    }),
    up: ({ department, salary, ...rest }) => ({
      ...rest,
      ...(department !== undefined && { department: (department as { name: string }).name }),
      ...(salary !== undefined && { salary: minorOf(salary as Money) / 100 }),
    }),
  },
}
