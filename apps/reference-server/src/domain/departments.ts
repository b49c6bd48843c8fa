import { collection, failure } from '../engine/define.ts'
import { prose, reference, text } from '../engine/fields.ts'
import { optional } from '../engine/modifiers.ts'

/** The parts of the company; employees name theirs. */
export const departments = collection({
  name: 'departments',
  item: 'department',
  fields: {
    name: text({ max: 100 }),
    description: optional(prose({ max: 1000 })),
    managerId: optional(reference()),
  },
  sort: ['name', 'managerId'],
  filters: ['name', 'managerId'],
  references: { managerId: 'employees' },
  links: {
    ...{ manager: '/employees/{managerId}', employees: '/employees?department={name}' },
    salaries: '/departments/{id}/salaries',
  },
  affects: ['employees'],
  cache: 'private',
  hooks: {
    async removing({ name }, { db }) {
      const member = await db.selectFrom('employees').select('id').where('department', '=', name).executeTakeFirst()
      if (member) throw failure('IN_USE.employees')
    },
  },
})
