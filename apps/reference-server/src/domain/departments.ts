import { collection, failure, field, TOUCH } from '../engine/index.ts'
import examples from './examples.json' with { type: 'json' }

export const departments = collection({
  name: 'departments',
  item: 'department',
  description: 'Departments of the company.',
  example: examples.departments,
  fields: {
    name: field.text({ max: 100 }).describe('Name, unique among departments.'),
    description: field.prose({ max: 1000 }).optional().describe('What the department does.'),
    managerId: field.reference().optional().describe('Employee who heads the department.'),
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
