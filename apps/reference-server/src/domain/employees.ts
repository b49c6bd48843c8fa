import { type Connection, collection, field, noun, rejectValue, selectFields } from '../engine/index.ts'
import { departments } from './departments.ts'
import examples from './examples.json' with { type: 'json' }
import { leadsTo } from './rules.ts'

export const employees = collection({
  name: 'employees',
  item: 'employee',
  description: 'People who work for the company.',
  example: examples.employees,
  fields: {
    name: field.text({ max: 100 }).describe('First and last name.'),
    department: field.text({ max: 100 }).describe('Name of the department that the employee works in.'),
    salary: field.decimal({ min: 0, max: 10_000_000, scale: 2 }).describe('Gross salary per month, in euros.'),
    city: field.text({ max: 100 }).optional().describe('City that the employee works in.'),
    managerId: field.reference().optional().describe('Employee who manages this one.'),
    departmentId: field
      .reference()
      .computed('select "id" from "departments" where "departments"."name" = "employees"."department"')
      .hidden(),
    // Of a client that names a department by its id, until its name is found.
    assignedDepartmentId: field.reference().optional().withoutColumn().hidden(),
  },
  sort: ['name', 'department', 'salary', 'city', 'managerId'],
  references: { managerId: 'employees' },
  links: {
    manager: '/employees/{managerId}',
    department: '/departments/{departmentId}',
    projects: '/employees/{id}/projects',
  },
  usedBy: [
    { table: 'employees', column: 'managerId' },
    { table: 'departments', column: 'managerId' },
    { table: 'project_employees', column: 'employeeId' },
  ],
  cache: 'private',
  hooks: {
    async beforeSave(next, previous, { db }) {
      if (next.assignedDepartmentId !== undefined) await assignDepartment(next, next.assignedDepartmentId, db)
      const { id, managerId } = next
      // A new employee is not the manager of anyone yet.
      if (managerId === undefined || !previous) return
      if (await leadsTo(db, { table: 'employees', column: 'managerId' }, managerId, id))
        rejectValue('MANAGER_CYCLE.manager', '/managerId', { id })
    },
  },
})

async function assignDepartment(
  employee: { department: string | undefined; assignedDepartmentId: number | undefined },
  id: number,
  db: Connection,
): Promise<void> {
  const [department] = await selectFields(db, departments, ['name'], 'where "id" = ?', [id])
  if (!department) return rejectValue('UNKNOWN_REFERENCE.item', '/department/id', { item: noun('department'), id })
  const { name } = department
  if (employee.department !== undefined && employee.department !== name)
    rejectValue('REFERENCE_MISMATCH.department', '/department/name', { name, id })
  employee.department = name
  employee.assignedDepartmentId = undefined
}
