import type { VersionChange } from '@svc/versioning'
import { group } from '../resources/composites.ts'
import type { Fields } from '../resources/define.ts'
import { reference, text } from '../resources/fields.ts'
import { optional } from '../resources/modifiers.ts'
import { type Money, minorOf, money, moneyOf } from '../resources/money.ts'

/** A representation of one item, or what a client sends of it. */
export type Body = Readonly<Record<string, unknown>>

const MAX_SALARY = 1_000_000_000

/** The fields that have another type since version 2, by collection. */
export const fields: Readonly<Record<string, Fields>> = {
  employees: {
    salary: money({ max: MAX_SALARY, currencies: ['EUR'] }),
    department: group({ id: optional(reference()), name: text({ max: 100 }) }),
  },
}

/** What came with version 2. */
export const changes: readonly VersionChange<Body, Body>[] = [
  {
    description: 'A salary is money: an amount and its currency.',
    resource: 'employees',
    up: (body) => withMember(body, 'salary', (salary) => euros(Number(salary))),
    down: (body) => withMember(body, 'salary', (salary) => minorOf(salary as Money) / 100),
  },
  {
    description: 'A department is an object with its id and its name.',
    resource: 'employees',
    up: (body) => withMember(body, 'department', (name) => ({ name })),
    down: (body) => withMember(body, 'department', (department) => (department as { name: string }).name),
  },
]

/** A sum that is kept in euros, as money. */
export function euros(sum: number): Money {
  return moneyOf(Math.round(sum * 100), 'EUR')
}

function withMember(body: Body, name: string, change: (value: unknown) => unknown): Body {
  return body[name] === undefined ? body : { ...body, [name]: change(body[name]) }
}
