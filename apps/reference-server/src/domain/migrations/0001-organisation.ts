import type { Schema } from './schema.ts'

/** Employees, departments and projects. */
export async function up({ table, plainTable, sortable, unique, index, id, long, text }: Schema): Promise<void> {
  await table('employees', [
    id,
    `"name" ${text} not null`,
    `"department" ${text} not null`,
    `"salary" ${long} not null`,
    `"city" ${text}`,
    `"managerId" ${long} references "employees" ("id")`,
  ])
  await sortable('employees', ['name', 'department', 'salary', 'city', 'managerId'])

  await table('departments', [
    id,
    `"name" ${text} not null`,
    `"description" ${text}`,
    `"managerId" ${long} references "employees" ("id")`,
  ])
  await unique('departments', 'name')
  await sortable('departments', ['name', 'managerId'])

  await table('projects', [
    id,
    `"name" ${text} not null`,
    `"description" ${text}`,
    `"status" ${text} not null`,
    `"startDate" ${text}`,
    `"endDate" ${text}`,
    `"departmentId" ${long} references "departments" ("id")`,
  ])
  await sortable('projects', ['name', 'status', 'startDate', 'endDate', 'departmentId'])
  await plainTable('project_employees', [
    `"projectId" ${long} not null references "projects" ("id")`,
    `"employeeId" ${long} not null references "employees" ("id")`,
    'primary key ("projectId", "employeeId")',
  ])
  await index('project_employees', ['employeeId', 'projectId'])
}
