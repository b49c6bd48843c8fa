import { collection, described, failure, optional, prose, reference, TOUCH, text } from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }

export const departments = collection({
  name: 'departments',
  item: 'department',
  description: 'Departments of the company.',
  example: examples.departments,
  fields: {
    name: described(text({ max: 100 }), 'Name, unique among departments.'),
    description: described(optional(prose({ max: 1000 })), 'What the department does.'),
    managerId: described(optional(reference()), 'Employee who heads the department.'),
  },
  sort: ['name', 'managerId'],
  references: { managerId: 'employees' },
  links: {
    manager: '/employees/{managerId}',
    employees: '/employees?department={name}',
    salaries: '/departments/{id}/salaries',
  },
  usedBy: [
    { table: 'employees', column: 'department', field: 'name' },
    { table: 'projects', column: 'departmentId' },
  ],
  affects: ['employees'],
  cache: 'private',
  hooks: {
    // Employees name their department.
    async afterSave({ name }, previous, { db, now }) {
      if (!previous || previous.name === name) return
      const sql = `update "employees" set "department" = ?, ${TOUCH} where "department" = ?`
      await db.run(sql, [name, now, previous.name])
    },
    async beforeDelete({ name }, { db }) {
      const member = await db.get('select 1 from "employees" where "department" = ? limit 1', [name])
      if (member) throw failure('IN_USE.employees')
    },
  },
})
