import type { Connection } from '../../database/connection.ts'
import { insertAll, insertKept } from './insert.ts'
import type { Random } from './random.ts'
import { CITIES, DEPARTMENTS, FIRST_NAMES, LAST_NAMES, PROJECTS } from './words.ts'

const EMPLOYEES = 137

/** 137 employees in 8 departments, the first of each its head, and 12 projects. */
export async function seedOrganisation(db: Connection, random: Random): Promise<void> {
  const heads = DEPARTMENTS.length
  const employees = Array.from({ length: EMPLOYEES }, (_, at) => ({
    name: `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`,
    department: DEPARTMENTS[at % heads]?.[0] ?? '',
    salary: (at < heads ? random.between(7000, 9500) : random.between(2800, 6500)) * 100,
    city: random.chance(0.9) ? random.pick(CITIES) : null,
    managerId: at < heads ? null : (at % heads) + 1,
  }))
  await insertKept(db, 'employees', employees)
  const departments = DEPARTMENTS.map(([name, description], at) => ({ name, description, managerId: at + 1 }))
  await insertKept(db, 'departments', departments)

  const statuses = ['PLANNED', 'ACTIVE', 'ACTIVE', 'COMPLETED', 'CANCELLED'] as const
  const projects = PROJECTS.map((name, at) => ({
    name,
    description: `The ${name} project`,
    status: statuses[at % statuses.length] ?? 'PLANNED',
    startDate: `2026-${String((at % 9) + 1).padStart(2, '0')}-01`,
    endDate: at % 3 === 0 ? null : `2027-${String((at % 12) + 1).padStart(2, '0')}-28`,
    departmentId: (at % heads) + 1,
  }))
  await insertKept(db, 'projects', projects)
  const assignments = PROJECTS.flatMap((_, at) => {
    const members = new Set(Array.from({ length: random.between(2, 6) }, () => random.between(1, EMPLOYEES)))
    return [...members].map((employeeId) => ({ projectId: at + 1, employeeId }))
  })
  await insertAll(db, 'project_employees', assignments)
}
