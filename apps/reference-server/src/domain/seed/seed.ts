import {
  type Connection,
  type Database,
  HASH_ALGORITHM,
  insertRows,
  type Money,
  money,
  type Stored,
} from '../../engine/index.ts'
import { ORDER_STATES } from '../orders.ts'
import { createRandom, euros, hoursIn, insertAll, insertDated, type Random } from './demo-data.ts'
import { DEMO_PASSWORD_HASHES, DEMO_USERS } from './demo-users.ts'
import words from './words.json' with { type: 'json' }

const SEED = 42
const EMPLOYEES = 137
const CUSTOMERS = 40
const PRODUCTS = 60

/** Inserts the demo data into an empty database, once if several processes start together. */
export async function seed(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    const mark = { name: 'seed', value: String(SEED) }
    if ((await insertRows(tx, 'settings', [mark], { orIgnore: true })) === 0) return
    const random = createRandom(SEED)
    await seedOrganization(tx, random)
    await seedCatalog(tx, random)
    await seedPeople(tx, random)
    await seedSales(tx, random)
    await seedBanking(tx, random)
  })
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
    const letters = name.normalize('NFD').replace(/[^A-Za-z]/g, '')
    const local = user?.username ?? `${letters.toLowerCase()}${id}`
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

const ORDERS = 60
const PRICES = words.categories.flatMap(({ cents }) => Object.values(cents).map(euros))

/** 60 orders in every state, with items and payments. Orders 1, 2, 3 are paid, shipped, new. */
async function seedSales(db: Connection, random: Random): Promise<void> {
  const orders: Record<string, Stored>[] = []
  const items: Record<string, Stored>[] = []
  const payments: Record<string, Stored>[] = []
  for (let id = 1; id <= ORDERS; id++) {
    const status = id === 1 ? 'PAID' : id === 2 ? 'SHIPPED' : id === 3 ? 'CREATED' : random.pick(ORDER_STATES)
    // Carl is customer 1 and Cora customer 2: the first orders are theirs.
    const customerId = id <= 3 ? 1 : id <= 6 ? 2 : random.between(1, 40)
    const start = id * 30
    const lineTotals: Money[] = []
    for (let line = random.between(1, 4); line > 0; line--) {
      const productId = random.between(1, PRICES.length)
      const quantity = random.between(1, 3)
      const unitPrice = PRICES[productId - 1] ?? euros(0)
      lineTotals.push(money.times(unitPrice, quantity))
      items.push({ orderId: id, productId, quantity, ...money.toColumns('unitPrice', unitPrice) })
    }
    const { currency } = euros(0)
    const total = money.sum(lineTotals, currency)
    const wasPaid = status !== 'CREATED' && (status !== 'CANCELLED' || id % 2 === 0)
    const isSent = status === 'SHIPPED' || status === 'DELIVERED'
    orders.push({
      customerId,
      status,
      ...money.toColumns('total', total),
      currency,
      paidAt: wasPaid ? hoursIn(start + 1) : null,
      shippedAt: isSent ? hoursIn(start + 24) : null,
      deliveredAt: status === 'DELIVERED' ? hoursIn(start + 72) : null,
      cancelledAt: status === 'CANCELLED' ? hoursIn(start + 2) : null,
      cancelReason: status === 'CANCELLED' ? 'Ordered by mistake' : null,
      createdAt: hoursIn(start),
    })
    if (!wasPaid) continue
    const state = status === 'CANCELLED' ? 'REFUNDED' : 'SUCCEEDED'
    const method = random.pick(['CARD', 'BANK_TRANSFER', 'WALLET'])
    const amount = money.toColumns('amount', total)
    payments.push({ orderId: id, ...amount, method, token: null, status: state, createdAt: hoursIn(start + 1) })
  }
  await insertDated(db, 'orders', orders)
  await insertDated(db, 'order_items', items)
  await insertDated(db, 'payments', payments)
}

const START_UNITS = 1_000_000
const TRANSFERS = 20

/** Accounts in euros for all demo users, in dollars for customers, and transfers between them. */
async function seedBanking(db: Connection, random: Random): Promise<void> {
  const owners = [
    ...DEMO_USERS.map((_, index) => ({ userId: index + 1, currency: 'EUR' })),
    ...DEMO_USERS.flatMap(({ role }, index) => (role === 'customer' ? [{ userId: index + 1, currency: 'USD' }] : [])),
  ]
  const balances = owners.map(({ currency }) => money.fromUnits(START_UNITS, currency))
  const change = (index: number, amount: Money, by: typeof money.add): void => {
    const balance = balances[index]
    if (balance) balances[index] = by(balance, amount)
  }
  const transfers = Array.from({ length: TRANSFERS }, (_, index) => {
    const from = random.whole(DEMO_USERS.length)
    const to = (from + random.between(1, DEMO_USERS.length - 1)) % DEMO_USERS.length
    const amount = euros(random.between(1, 400) * 100)
    change(from, amount, money.subtract)
    change(to, amount, money.add)
    return {
      fromAccountId: from + 1,
      toAccountId: to + 1,
      ...money.toColumns('amount', amount),
      reference: `Invoice ${2026_000 + index}`,
      status: 'COMPLETED',
    }
  })
  const accounts = owners.map((owner, index) => ({
    ...owner,
    number: `DE${String(10 + index)}5001${String(index + 1).padStart(14, '0')}`,
    ...money.toColumns('balance', balances[index] ?? money.zero(owner.currency)),
    status: 'OPEN',
  }))
  await insertDated(db, 'accounts', accounts)
  await insertDated(db, 'transfers', transfers)
}
