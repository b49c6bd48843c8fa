import { type Connection, HASH_ALGORITHM } from '../../engine/index.ts'
import { DEMO_PASSWORD_HASHES, DEMO_USERS } from './demo-users.ts'
import { insertAll, insertKept } from './insert.ts'
import type { Random } from './random.ts'
import { FIRST_NAMES, LAST_NAMES, OPINIONS } from './words.ts'

const CUSTOMERS = 40
const PRODUCTS = 60

/** 40 customers, the demo users (two of them customers), and reviews of the catalogue. */
export async function seedPeople(db: Connection, random: Random): Promise<void> {
  const customers = Array.from({ length: CUSTOMERS }, (_, at) => {
    const user = DEMO_USERS.find(({ customer }) => customer === at + 1)
    const name = user?.displayName ?? `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`
    const local =
      user?.username ??
      `${name
        .normalize('NFD')
        .replace(/[^A-Za-z]/g, '')
        .toLowerCase()}${at + 1}`
    return { id: at + 1, name, email: `${local}@example.com`, phone: null }
  })
  await insertKept(db, 'customers', customers)
  await insertAll(
    db,
    'customer_ids',
    customers.map(({ id }) => ({ id })),
  )

  const users = DEMO_USERS.map(({ username, displayName, role, customer }) => ({
    username,
    email: `${username}@example.com`,
    displayName,
    roles: JSON.stringify(role === 'none' ? [] : [role]),
    customerId: customer ?? null,
    passwordHash: DEMO_PASSWORD_HASHES[username]?.[HASH_ALGORITHM] ?? '',
    soapSecret: null,
  }))
  await insertKept(db, 'users', users)

  const reviews = Array.from({ length: PRODUCTS }, (_, product) =>
    DEMO_USERS.filter(() => random.chance(0.35)).map(({ username }) => {
      const [rating, title, comment] = random.pick(OPINIONS)
      const userId = DEMO_USERS.findIndex((user) => user.username === username) + 1
      return { productId: product + 1, userId, rating, title, comment }
    }),
  ).flat()
  await insertKept(db, 'reviews', reviews)
}
