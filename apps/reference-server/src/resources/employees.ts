import { collection, refuseValue } from './define.ts'
import { decimal, reference, text } from './fields.ts'
import { computed, hidden, optional } from './modifiers.ts'
import { leadsTo } from './rules/chain.ts'

/** The people of the company. */
export const employees = collection({
  name: 'employees',
  item: 'employee',
  fields: {
    name: text({ max: 100 }),
    department: text({ max: 100 }),
    salary: decimal({ min: 0, max: 10_000_000, scale: 2 }),
    city: optional(text({ max: 100 })),
    managerId: optional(reference()),
    departmentId: hidden(
      computed(reference(), 'select "id" from "departments" where "departments"."name" = "employees"."department"'),
    ),
  },
  sort: ['name', 'department', 'salary', 'city', 'managerId'],
  filters: ['name', 'department', 'salary', 'city', 'managerId'],
  references: { managerId: 'employees' },
  links: {
    manager: '/employees/{managerId}',
    department: '/departments/{departmentId}',
    projects: '/employees/{id}/projects',
  },
  cache: 'private',
  hooks: {
    async prepare({ id, managerId }, previous, { db }) {
      // Nobody has somebody new as their manager.
      if (managerId === undefined || !previous) return
      if (await leadsTo(db, { table: 'employees', column: 'managerId' }, managerId, id))
        refuseValue('MANAGER_CYCLE', '/managerId', 'would make somebody their own manager')
    },
  },
})
