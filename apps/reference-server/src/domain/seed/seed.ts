import { type Connection, type Database, HASH_ALGORITHM, insertRows, money } from '../../engine/index.ts'
import { DEMO_PASSWORD_HASHES, DEMO_USERS } from './demo-users.ts'
import { euros, insertAll, insertDated } from './insert.ts'
import { createRandom, type Random } from './random.ts'
import { seedBanking, seedSales } from './sales.ts'
import words from './words.json' with { type: 'json' }

const SEED = 42
const EMPLOYEES = 137
const CUSTOMERS = 40
const PRODUCTS = 60

/** Inserts the demo data into an empty database, once if several processes start together. */
export async function seed(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await isFirst(tx))) return
    const random = createRandom(SEED)
    await seedOrganization(tx, random)
    await seedCatalog(tx, random)
    await seedPeople(tx, random)
    await seedSales(tx, random)
    await seedBanking(tx, random)
  })
}

async function isFirst(db: Connection): Promise<boolean> {
  return (await insertRows(db, 'settings', [{ name: 'seed', value: String(SEED) }], { orIgnore: true })) === 1
}

/** 137 employees in 8 departments, the first of each its head, and 12 projects. */
async function seedOrganization(db: Connection, random: Random): Promise<void> {
  const heads = words.departments.length
  const employees = Array.from({ length: EMPLOYEES }, (_, index) => ({
    name: `${random.pick(words.firstNames)} ${random.pick(words.lastNames)}`,
    department: words.departments[index % heads]?.name ?? '',
    salary: (index < heads ? random.between(7000, 9500) : random.between(2800, 6500)) * 100,
    city: random.chance(0.9) ? random.pick(words.cities) : null,
    managerId: index < heads ? null : (index % heads) + 1,
  }))
  await insertDated(db, 'employees', employees)
  const departments = words.departments.map((department, index) => ({ ...department, managerId: index + 1 }))
  await insertDated(db, 'departments', departments)

  const statuses = ['PLANNED', 'ACTIVE', 'ACTIVE', 'COMPLETED', 'CANCELLED'] as const
  const projects = words.projects.map((name, index) => ({
    name,
    description: `The ${name} project`,
    status: statuses[index % statuses.length] ?? 'PLANNED',
    startDate: `2026-${String((index % 9) + 1).padStart(2, '0')}-01`,
    endDate: index % 3 === 0 ? null : `2027-${String((index % 12) + 1).padStart(2, '0')}-28`,
    departmentId: (index % heads) + 1,
  }))
  await insertDated(db, 'projects', projects)
  const assignments = words.projects.flatMap((_, index) => {
    const members = new Set(Array.from({ length: random.between(2, 6) }, () => random.between(1, EMPLOYEES)))
    return [...members].map((employeeId) => ({ projectId: index + 1, employeeId }))
  })
  await insertAll(db, 'project_employees', assignments)
}

/** 60 products in 10 categories. */
async function seedCatalog(db: Connection, random: Random): Promise<void> {
  const categories = words.categories.map(({ name }) => ({
    name,
    parentId: name === 'Audio' || name === 'Lighting' ? 1 : null,
  }))
  await insertDated(db, 'categories', categories)
  const products = words.categories.flatMap(({ name: category, cents }, group) =>
    Object.entries(cents).map(([name, price], index) => ({
      sku: `${category.slice(0, 3).toUpperCase()}-${String(index + 1).padStart(4, '0')}`,
      name,
      description: `${name} from our ${category.toLowerCase()} range`,
      categoryId: group + 1,
      ...money.toColumns('price', euros(price)),
      stock: group === 0 && index === 0 ? 25 : random.chance(0.1) ? 0 : random.between(3, 200),
      discontinued: name === 'Dictionary' || name === 'Radio' ? 1 : 0,
    })),
  )
  await insertDated(db, 'products', products)
}

/** 40 customers, the demo users (two of them customers), and reviews of products. */
async function seedPeople(db: Connection, random: Random): Promise<void> {
  const customers = Array.from({ length: CUSTOMERS }, (_, index) => {
    const id = index + 1
    const user = DEMO_USERS.find(({ customer }) => customer === id)
    const name = user?.displayName ?? `${random.pick(words.firstNames)} ${random.pick(words.lastNames)}`
    const local =
      user?.username ??
      `${name
        .normalize('NFD')
        .replace(/[^A-Za-z]/g, '')
        .toLowerCase()}${id}`
    return { id, name, email: `${local}@example.com`, phone: null }
  })
  await insertDated(db, 'customers', customers)
  const ids = customers.map(({ id }) => ({ id }))
  await insertAll(db, 'customer_ids', ids)

  const users = DEMO_USERS.map(({ username, displayName, role, customer = null }) => ({
    username,
    email: `${username}@example.com`,
    displayName,
    roles: JSON.stringify(role === 'none' ? [] : [role]),
    customerId: customer,
    passwordHash: DEMO_PASSWORD_HASHES[username]?.[HASH_ALGORITHM] ?? '',
    soapSecret: null,
  }))
  await insertDated(db, 'users', users)

  const reviews = Array.from({ length: PRODUCTS }, (_, product) =>
    DEMO_USERS.filter(() => random.chance(0.35)).map((user) => ({
      productId: product + 1,
      userId: DEMO_USERS.indexOf(user) + 1,
      ...random.pick(words.opinions),
    })),
  ).flat()
  await insertDated(db, 'reviews', reviews)
}
