import { collection, document, failure, field, TOUCH } from '../engine/index.ts'
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

const BANDS = 8

const salary = field.decimal({ min: 0, max: 100_000_000, scale: 2 })

export const salaries = document({
  name: 'salaries',
  path: '/departments/{id}/salaries',
  parent: departments,
  scope: 'employees',
  cache: 'private',
  groups: ['employees'],
  summary: 'Get the salaries of a department',
  description: 'Returns how the salaries of a department are distributed, without names, as data or as a chart.',
  gives: {
    departmentId: field.reference().describe('Department of the employees.'),
    department: field.text({ max: 100 }).describe('Name of the department.'),
    employees: field.integer({ min: 0, max: 1_000_000 }).describe('Number of employees.'),
    lowest: salary.optional().describe('Lowest salary.'),
    median: salary.optional().describe('Median salary.'),
    average: salary.optional().describe('Average salary.'),
    highest: salary.optional().describe('Highest salary.'),
    bands: field
      .list(
        field.group({
          from: salary.describe('Lowest salary of the band.'),
          to: salary.describe('End of the band, which is not part of it.'),
          employees: field.integer({ min: 0, max: 1_000_000 }).describe('Number of employees in the band.'),
        }),
      )
      .describe('Bands of equal width that hold all salaries.'),
  },
  example: examples.salaries,
  async read({ id, name }, db) {
    const sql = 'select "salary" from "employees" where "department" = ? order by "salary"'
    const rows = await db.all<{ salary: number }>(sql, [String(name)])
    const cents = rows.map(({ salary }) => salary)
    const sum = cents.reduce((total, amount) => total + amount, 0)
    const amounts = cents.map((amount) => amount / 100)
    return {
      departmentId: id,
      department: name,
      employees: amounts.length,
      ...(amounts.length > 0 && {
        lowest: amounts[0],
        median: amounts[Math.floor((amounts.length - 1) / 2)],
        average: Math.round(sum / amounts.length) / 100,
        highest: amounts.at(-1),
      }),
      bands: countBands(amounts),
    }
  },
  links: ({ name }) => ({ employees: `/employees?department=${encodeURIComponent(name)}` }),
})

interface Band {
  from: number
  /** Not part of the band. */
  to: number
  employees: number
}

/** Counts sorted amounts in bands of equal width with round limits. */
export function countBands(amounts: readonly number[]): Band[] {
  const lowest = amounts[0]
  const highest = amounts.at(-1)
  if (lowest === undefined || highest === undefined) return []
  const width = roundWidth((highest - lowest) / BANDS)
  const bands: Band[] = []
  for (let from = Math.floor(lowest / width) * width; from <= highest; from += width)
    bands.push({ from, to: from + width, employees: 0 })
  for (const amount of amounts) {
    const band = bands.find(({ to }) => amount < to)
    if (band) band.employees++
  }
  return bands
}

// The next of 1, 2, 5, 10, 20, 50 ... that is not smaller.
function roundWidth(least: number): number {
  if (least <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power
}
