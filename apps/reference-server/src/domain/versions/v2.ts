import type { VersionChange } from '@svc/versioning'
import { atLeastOne, group } from '../../engine/composites.ts'
import type { Fields } from '../../engine/define.ts'
import { reference, text } from '../../engine/fields.ts'
import { optional } from '../../engine/modifiers.ts'
import { countDigits, type Money, parseMoney } from '../../engine/money.ts'
import { money } from '../../engine/money-field.ts'

/** A representation of one item, or what a client sends of it. */
export type Body = Readonly<Record<string, unknown>>

/** Version 1 has salaries as bare numbers, which are of this currency. */
const MAX_SALARY: Money = { amount: '10000000.00', currency: 'EUR' }

/** The fields that have another type since version 2, by collection. */
export const fields: Readonly<Record<string, Fields>> = {
  employees: {
    salary: money({ max: MAX_SALARY, currencies: [MAX_SALARY.currency] }),
    department: atLeastOne(group({ id: optional(reference()), name: optional(text({ max: 100 })) })),
  },
}

/** What came with version 2. */
export const changes: readonly VersionChange<Body, Body>[] = [
  {
    description: 'A salary is money: an amount and its currency.',
    resource: 'employees',
    up: (body) => withMember(body, 'salary', (salary) => salaryToMoney(Number(salary))),
    down: (body) => withMember(body, 'salary', (salary) => salaryToNumber(salary as Money)),
  },
  {
    description: 'A department is an object with its id and its name.',
    resource: 'employees',
    up: (body) => withMember(body, 'department', (name) => ({ name })),
    down: (body) => withMember(body, 'department', (department) => (department as { name: string }).name),
  },
]

/** A salary as version 2 has it. */
export function salaryToMoney(salary: number): Money {
  const { currency } = MAX_SALARY
  const money = parseMoney(salary.toFixed(countDigits(currency)), currency)
  if (!money) throw new TypeError(`${salary} is not a salary`)
  return money
}

/** A salary as version 1 has it. */
export function salaryToNumber({ amount }: Money): number {
  return Number(amount)
}

function withMember(body: Body, name: string, change: (value: unknown) => unknown): Body {
  return body[name] === undefined ? body : { ...body, [name]: change(body[name]) }
}
