import { type Connection, storeMoney } from '../../engine/index.ts'
import { euros, insertAll, insertKept } from './insert.ts'
import type { Random } from './random.ts'
import { CATEGORIES, CITIES, DEPARTMENTS, FIRST_NAMES, LAST_NAMES, PRODUCTS, PROJECTS } from './words.ts'

/** 60 products in 10 categories. */
export async function seedCatalogue(db: Connection, random: Random): Promise<void> {
  const categories = CATEGORIES.map((name) => ({ name, parentId: name === 'Audio' || name === 'Lighting' ? 1 : null }))
  await insertKept(db, 'categories', categories)
  const products = PRODUCTS.flatMap((group, category) =>
    group.map(([name, price], at) => ({
      sku: `${(CATEGORIES[category] ?? '').slice(0, 3).toUpperCase()}-${String(at + 1).padStart(4, '0')}`,
      name,
      description: `${name} from our ${(CATEGORIES[category] ?? '').toLowerCase()} range`,
      categoryId: category + 1,
      ...storeMoney('price', euros(price)),
      stock: category === 0 && at === 0 ? 25 : random.chance(0.1) ? 0 : random.between(3, 200),
      discontinued: name === 'Dictionary' || name === 'Radio' ? 1 : 0,
    })),
  )
  await insertKept(db, 'products', products)
}

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
